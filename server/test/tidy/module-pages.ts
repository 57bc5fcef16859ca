import { type Module, modules, placeOf } from './modules.ts'
import { sizes } from './sizes.ts'
import { type Check, type Files, type Finding, linesOf, matching } from './tree.ts'

/** The modules that stand: each with the first of its files. */
function standing(files: Files): Map<Module, string> {
  const found = new Map<Module, string>()
  for (const [file] of matching(files, /^server\/src\/.*\/[^/]+$/)) {
    const place = placeOf(file)
    if (place.kind !== 'module' || place.folder === '' || found.has(place.module)) continue
    found.set(place.module, file)
  }
  return found
}

/** A module has an index.ts and a short page: purpose, what comes in, what goes out, its tables. */
export const modulesHaveIndexAndPage: Check = (files) =>
  [...standing(files)].flatMap(([module]): Finding[] => {
    const index = `server/src/${module.name}/index.ts`
    const page = `server/src/${module.name}/README.md`
    const text = files.get(page)
    const lines = linesOf(text ?? '').length
    const tooLong = `the page has ${lines} lines, ${sizes.moduleReadmeLinesMax} at most`
    return [
      ...(files.has(index)
        ? []
        : [{ file: index, line: 1, message: 'the module has no index.ts' }]),
      ...(text === undefined ? [{ file: page, line: 1, message: 'the module has no page' }] : []),
      ...(lines > sizes.moduleReadmeLinesMax
        ? [{ file: page, line: sizes.moduleReadmeLinesMax + 1, message: tooLong }]
        : []),
    ]
  })

/** The table in ARCHITECTURE.md says of each module that stands what this test's table says. */
export const theDrawingIsTrue: Check = (files) => {
  const file = 'ARCHITECTURE.md'
  const text = files.get(file)
  if (text === undefined) return []
  const rows = drawnRows(text)
  const drawn = [...rows].flatMap(([name, row]): Finding[] => {
    const module = modules.find((one) => one.name === name)
    if (module === undefined) {
      return [{ file, line: row.line, message: `${name} is not in the table of modules` }]
    }
    const allowed = module.mayImport.join(', ') || 'nothing'
    if (row.mayImport === allowed) return []
    return [{ file, line: row.line, message: `${name} may import: ${allowed}` }]
  })
  const missing = [...standing(files)]
    .filter(([{ name }]) => !rows.has(name))
    .map(([{ name }]) => ({ file, line: 1, message: `${name} is not drawn` }))
  return [...drawn, ...missing]
}

const tableRow = /^\| `([\w/-]+)` \| ([^|(]*?)\s*(?:\([^|]*\))?\s*\|/

/** Rows of the table under the heading "Who may import whom": module, and what it may import. */
function drawnRows(text: string): Map<string, { line: number; mayImport: string }> {
  const lines = linesOf(text)
  const start = lines.findIndex((line) => /^## Who may import whom/.test(line))
  const rows = new Map<string, { line: number; mayImport: string }>()
  for (const [index, line] of lines.entries()) {
    if (index > start && start !== -1 && line.startsWith('## ')) break
    const [, name, mayImport] = tableRow.exec(line) ?? []
    if (start === -1 || index < start || name === undefined) continue
    rows.set(name, { line: index + 1, mayImport: mayImport ?? '' })
  }
  return rows
}

const empty = /(^|[-_.])(utils?|helpers?)([-_.]|$)/i

/** A name says what is inside; these say only that nobody knew where to put it. */
export const namesDescribeContents: Check = (files) =>
  [...files.keys()].flatMap((file) =>
    file.split('/').some((part) => empty.test(part))
      ? [{ file, line: 1, message: 'a file or folder named for nothing' }]
      : [],
  )
