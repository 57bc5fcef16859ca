import { posix } from 'node:path'
import { findPlace, type Module, moduleFolder, modules, type Wing, wings } from './modules.ts'
import { sizes } from './sizes.ts'
import { type Check, type Files, type Finding, findAll, matching, splitLines } from './tree/tree.ts'

type Link = { readonly target: string; readonly line: number }

/** Links of a page, without those inside code. */
function findLinks(text: string): Link[] {
  let fenced = false
  return splitLines(text).flatMap((content, index) => {
    if (/^\s*(```|~~~)/.test(content)) fenced = !fenced
    if (fenced) return []
    const prose = content.replace(/`[^`]*`/g, '``')
    const found = prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)/g)
    return [...found].map((match) => ({ target: match[1] ?? match[2] ?? '', line: index + 1 }))
  })
}

/** Every relative link leads to a file or folder, and to a heading where it names one. */
export const linksLeadSomewhere: Check = (files) =>
  matching(files, /\.md$/).flatMap(([file, text]) =>
    findLinks(text).flatMap(({ target, line }) => {
      const message = deadEnd(files, file, target)
      return message === undefined ? [] : [{ file, line, message }]
    }),
  )

function deadEnd(files: Files, file: string, target: string): string | undefined {
  if (/^([a-z]+:|\/)/i.test(target)) return undefined
  const [path = '', heading] = target.split('#')
  const to = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path))
  const page = files.get(to)
  if (page === undefined) {
    const folder = `${to.replace(/\/$/, '')}/`
    const isFolder = [...files.keys()].some((one) => one.startsWith(folder))
    return isFolder ? undefined : `${target} does not exist`
  }
  if (heading === undefined || !to.endsWith('.md') || listAnchors(page).has(heading))
    return undefined
  return `${to} has no heading #${heading}`
}

function listAnchors(page: string): Set<string> {
  return new Set(
    splitLines(page)
      .filter((line) => /^#{1,6} /.test(line))
      .map((line) => line.replace(/^#+ /, '').toLowerCase())
      .map((title) => title.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-')),
  )
}

const choices = 'docs/spec/choices.md'

/** The rows of the tables of choices, each with its line. */
function choiceRows(files: Files): { readonly content: string; readonly line: number }[] {
  const lines = splitLines(files.get(choices) ?? '')
  return lines.flatMap((content, index) => {
    const isHeader = /^\|[\s:|-]+\|\s*$/.test(lines[index + 1] ?? '')
    if (!content.startsWith('|') || isHeader || /^\|[\s:|-]+\|\s*$/.test(content)) return []
    return [{ content, line: index + 1 }]
  })
}

/** A question has one row: a second one would answer it differently some day. */
export const questionsStandOnce: Check = (files) => {
  const rows = Map.groupBy(choiceRows(files), ({ content }) => content.split('|')[1]?.trim())
  return [...rows.values()].flatMap(([first, ...more]) =>
    more.map(({ line }): Finding => {
      return { file: choices, line, message: `the question has a row, at line ${first?.line}` }
    }),
  )
}

/** Each choice where the spec is silent names the test that pins it, and that test exists. */
export const choicesArePinned: Check = (files) =>
  choiceRows(files).flatMap(({ content, line }): Finding[] => {
    const tests = [...content.matchAll(/[\w./@-]+\.test\.tsx?\b/g)].map(([path]) => path)
    if (tests.length === 0) return [{ file: choices, line, message: 'the row names no test' }]
    return tests
      .filter((path) => !listPaths(path).some((one) => files.has(one)))
      .map((path) => ({ file: choices, line, message: `${path} does not exist` }))
  })

/** A test is named from the root, from the server's tests, or by a link. */
function listPaths(path: string): string[] {
  return [path, `server/test/${path}`, posix.join('docs/spec', path)]
}

/** Pages that must be read whole are short. */
export const pagesAreShort: Check = (files) => [
  ...longer(files, /^ARCHITECTURE\.md$/, sizes.architectureLinesMax),
  ...longer(files, /^docs\/adr\/\d.*\.md$/, sizes.decisionLinesMax),
]

function longer(files: Files, pages: RegExp, max: number): Finding[] {
  return matching(files, pages).flatMap(([file, text]) => {
    const lines = splitLines(text).length
    if (lines <= max) return []
    return [{ file, line: max + 1, message: `the page has ${lines} lines, ${max} at most` }]
  })
}

/** A decision is named NNNN-in-words.md, numbered once, and says what it costs. */
export const decisionsAreNumbered: Check = (files) => {
  const seen = new Set<string>()
  return matching(files, /^docs\/adr\//).flatMap(([file, text]): Finding[] => {
    if (file === 'docs/adr/README.md') return []
    const number = /\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]
    if (number === undefined) return [{ file, line: 1, message: 'name it NNNN-in-words.md' }]
    const twice = seen.has(number)
    seen.add(number)
    const costs = /^## Consequences$/m.test(text)
    return [
      ...(twice ? [{ file, line: 1, message: `another decision has the number ${number}` }] : []),
      ...(costs ? [] : [{ file, line: 1, message: 'no section "Consequences"' }]),
    ]
  })
}

const contents = 'docs/README.md'

/** A reader finds every page from the first one. */
export const pagesAreLinked: Check = (files) => {
  const linked = new Set(
    findLinks(files.get(contents) ?? '').map(({ target }) =>
      posix.join('docs', target.split('#')[0] ?? ''),
    ),
  )
  return matching(files, /^docs\/.*\.md$/)
    .filter(([file]) => file !== contents && !linked.has(file))
    .map(([file]) => ({ file, line: 1, message: `${contents} does not link the page` }))
}

const ending = String.raw`\.(?:tsx?|mjs|sql|graphql)(?![\w-])`
const ours = '(?:server|console|insight-sdk|examples|bench|dev|docs)'
/** A file in code marks, or by its path from the root. */
const named = [
  new RegExp(String.raw`\`([\w@][\w@./-]*${ending})\``, 'g'),
  new RegExp(String.raw`(?<![\w./<*{}-])(${ours}/[\w@./-]+${ending})`, 'g'),
]

/** Files that a page tells its reader to write. */
const written = new Set(['examples/insight-scale/main.ts'])

/** Every file of ours that a page names is there, under that path or under the end of one. */
export const namedFilesExist: Check = (files) => {
  const isThere = (file: string, name: string) =>
    files.has(posix.join(posix.dirname(file), name)) ||
    [...files.keys()].some((path) => path === name || path.endsWith(`/${name}`))
  const isExempt = (name: string) => name.includes('NNNN') || written.has(name)
  return matching(files, /\.md$/).flatMap(([file, text]) => {
    if (file === 'CHANGELOG.md') return []
    const found = named.flatMap((pattern) =>
      findAll(file, text, pattern, ([, name = '']) => name).filter(
        ({ message }) => !isExempt(message) && !isThere(file, message),
      ),
    )
    const unlike = new Map(found.map((one) => [`${one.line} ${one.message}`, one]))
    return [...unlike.values()].map((one) => ({ ...one, message: `${one.message} does not exist` }))
  })
}

/** The modules that stand: each with the first of its files. */
function standing(files: Files): Map<Module, string> {
  const found = new Map<Module, string>()
  for (const [file] of matching(files, /^server\/src\/.*\/[^/]+$/)) {
    const place = findPlace(file)
    if (place.kind !== 'module' || place.folder === '' || found.has(place.module)) continue
    found.set(place.module, file)
  }
  return found
}

/** A module has an index.ts and a short page: purpose, what comes in, what goes out, its tables. */
export const modulesHaveIndexAndPage: Check = (files) =>
  [...standing(files).keys()].flatMap((module) => {
    const index = `${moduleFolder(module)}index.ts`
    const missing = { file: index, line: 1, message: 'the module has no index.ts' }
    const page = `${moduleFolder(module)}README.md`
    const faults = pageFaults(files, page, 'module', sizes.moduleReadmeLinesMax)
    return files.has(index) ? faults : [missing, ...faults]
  })

/** A wing has a page with its modules, in the order of the data. */
export const wingsHavePages: Check = (files) =>
  standingWings(files).flatMap((wing) =>
    pageFaults(files, wingPage(wing), 'wing', sizes.wingReadmeLinesMax),
  )

function pageFaults(files: Files, file: string, what: string, max: number): Finding[] {
  const text = files.get(file)
  if (text === undefined) return [{ file, line: 1, message: `the ${what} has no page` }]
  const lines = splitLines(text).length
  if (lines <= max) return []
  return [{ file, line: max + 1, message: `the page has ${lines} lines, ${max} at most` }]
}

function standingWings(files: Files): Wing[] {
  const found = new Set([...standing(files).keys()].map(({ wing }) => wing))
  return wings.filter((wing) => found.has(wing))
}

const wingPage = (wing: Wing) => `server/src/${wing}/README.md`

/** ARCHITECTURE.md says of each wing, and a wing's page of each module, what the tables say. */
export const theDrawingIsTrue: Check = (files) => [
  ...compareRows(files, 'ARCHITECTURE.md', standingWings(files), ofWings),
  ...wings.flatMap((wing) => {
    const modulesOfWing = [...standing(files).keys()].filter((module) => module.wing === wing)
    const names = modulesOfWing.map(({ name }) => name)
    return compareRows(files, wingPage(wing), names, ofModules(wing))
  }),
]

type Allowed = ReadonlyMap<string, string>

const listed = (names: readonly string[]) => names.join(', ') || 'nothing'
const ofWings: Allowed = new Map(wings.map((wing, at) => [wing, listed(wings.slice(0, at))]))

function ofModules(wing: Wing): Allowed {
  const own = modules.filter((module) => module.wing === wing)
  return new Map(own.map(({ name, mayImport }) => [name, listed(mayImport)]))
}

function compareRows(
  files: Files,
  file: string,
  stand: readonly string[],
  allowed: Allowed,
): Finding[] {
  const text = files.get(file)
  if (text === undefined) return []
  const rows = drawnRows(text)
  const drawn = [...rows].flatMap(([name, row]): Finding[] => {
    const mayImport = allowed.get(name)
    if (row.mayImport === mayImport) return []
    const message =
      mayImport === undefined ? `${name} is not in the table` : `${name} may import: ${mayImport}`
    return [{ file, line: row.line, message }]
  })
  const missing = stand.filter((name) => !rows.has(name))
  return [...drawn, ...missing.map((name) => ({ file, line: 1, message: `${name} is not drawn` }))]
}

/** The first column of a row and its last, without what stands in brackets there. */
const tableRow = /^\| `([\w/-]+)` \|(?:[^|]*\|)* ([^|(]*?)\s*(?:\([^|]*\))?\s*\|$/

/** Rows of the table of a page whose last column says what may be imported. */
function drawnRows(text: string): Map<string, { line: number; mayImport: string }> {
  const lines = splitLines(text)
  const start = lines.findIndex((line) => /^\|.*\| may import \|$/.test(line))
  const rows = new Map<string, { line: number; mayImport: string }>()
  for (const [index, line] of lines.entries()) {
    if (start === -1 || index <= start) continue
    if (!line.startsWith('|')) break
    const [, name, mayImport] = tableRow.exec(line) ?? []
    if (name !== undefined) rows.set(name, { line: index + 1, mayImport: mayImport ?? '' })
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
