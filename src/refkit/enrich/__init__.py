"""Looking entries up at the services that know them, and taking from the answers what is missing.

The only package that uses the network. It knows no command line: ``refkit.cli.enrich`` prints what it finds.
"""
