"""The site around the sections and works: pages over all of them, and what browsers, feed readers, search
engines and hosts ask for.

Each feature is one module that registers its pages and files with :mod:`refkit.sphinxext.site.extras`.
"""
