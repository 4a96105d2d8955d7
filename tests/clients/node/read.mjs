// Reads a bibliography with citation-js and prints it as CSL-JSON.
// usage: node read.mjs FILE        (BibTeX, BibLaTeX, RIS or CSL-JSON: citation-js finds out)
//        node read.mjs FILE FORMAT (prints FORMAT instead: bibtex, biblatex, ris)
import { readFileSync } from 'node:fs'
import { Cite } from '@citation-js/core'
import '@citation-js/plugin-bibtex'
import '@citation-js/plugin-csl'
import '@citation-js/plugin-ris'

const [file, format = 'data'] = process.argv.slice(2)
const cite = new Cite(readFileSync(file, 'utf8'), { generateGraph: false })
process.stdout.write(cite.format(format, { format: 'text' }))
