import { posix } from 'node:path'
import { sizes } from './sizes.ts'
import { type Check, type Files, type Finding, linesOf, matching } from './tree.ts'

type Link = { readonly target: string; readonly line: number }

/** Links of a page, without those inside code. */
function linksOf(text: string): Link[] {
  let fenced = false
  return linesOf(text).flatMap((content, index) => {
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
    linksOf(text).flatMap(({ target, line }) => {
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
  if (heading === undefined || !to.endsWith('.md') || anchorsOf(page).has(heading)) return undefined
  return `${to} has no heading #${heading}`
}

function anchorsOf(page: string): Set<string> {
  return new Set(
    linesOf(page)
      .filter((line) => /^#{1,6} /.test(line))
      .map((line) => line.replace(/^#+ /, '').toLowerCase())
      .map((title) => title.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-')),
  )
}

const choices = 'docs/spec/choices.md'

/** Each choice where the spec is silent names the test that pins it, and that test exists. */
export const choicesArePinned: Check = (files) => {
  const lines = linesOf(files.get(choices) ?? '')
  return lines.flatMap((content, index): Finding[] => {
    const isHeader = /^\|[\s:|-]+\|\s*$/.test(lines[index + 1] ?? '')
    if (!content.startsWith('|') || isHeader || /^\|[\s:|-]+\|\s*$/.test(content)) return []
    const line = index + 1
    const tests = [...content.matchAll(/[\w./@-]+\.test\.tsx?\b/g)].map(([path]) => path)
    if (tests.length === 0) return [{ file: choices, line, message: 'the row names no test' }]
    return tests
      .filter((path) => !pathsOf(path).some((one) => files.has(one)))
      .map((path) => ({ file: choices, line, message: `${path} does not exist` }))
  })
}

/** A test is named from the root, from the server's tests, or by a link. */
function pathsOf(path: string): string[] {
  return [path, `server/test/${path}`, posix.join('docs/spec', path)]
}

/** What must be read whole is short. */
export const pagesAreShort: Check = (files) => [
  ...longer(files, /^ARCHITECTURE\.md$/, sizes.architectureLinesMax),
  ...longer(files, /^docs\/adr\/\d.*\.md$/, sizes.decisionLinesMax),
]

function longer(files: Files, pages: RegExp, max: number): Finding[] {
  return matching(files, pages).flatMap(([file, text]) => {
    const lines = linesOf(text).length
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
