// Converts a bibliography with citation-js into several formats in one process.
// usage: node convert.mjs OUT FORMAT[,FORMAT...] FILE...     formats: data (CSL-JSON), ris, bibtex, biblatex
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Cite } from '@citation-js/core'
import '@citation-js/plugin-bibtex'
import '@citation-js/plugin-csl'
import '@citation-js/plugin-ris'

const [out, formats, ...files] = process.argv.slice(2)
for (const file of files) {
  const cite = new Cite(readFileSync(file, 'utf8'), { generateGraph: false })
  for (const format of formats.split(',')) {
    writeFileSync(join(out, `${basename(file)}.${format}`), cite.format(format, { format: 'text' }))
  }
}
