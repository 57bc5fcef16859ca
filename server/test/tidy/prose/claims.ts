import {
  type Check,
  type Files,
  type Finding,
  findAll,
  lineAt,
  listWrittenPages,
  matching,
} from '../tree/tree.ts'

/**
 * The names that pages state: identifiers, settings, scripts of npm, commands. Each must be there.
 * Decisions and the changelog may name what was, and pages of figures what other programs have.
 */
const exempt = /^CHANGELOG\.md$|^docs\/adr\/|^docs\/internals\/performance/

function listPages(files: Files): [path: string, text: string][] {
  return listWrittenPages(files).filter(([file]) => !exempt.test(file))
}

const code = /\.(?:tsx?|mjs|sql|graphql|json|lua|ya?ml|py|html)$/

function collectWords(files: Files): Set<string> {
  return new Set(matching(files, code).flatMap(([, text]) => text.match(/\w+/g) ?? []))
}

/** Names of other programs, those of examples, and those that pages say are missing here. */
const elsewhere = new Set([
  ...['remote_write', 'remote_apply', 'pool_mode', 'KillMode'],
  ...['proxy_pass', 'proxy_protocol', 'ssl_client_certificate', 'ssl_verify_client', 'client_auth'],
  ...['HUMAN_AGENT', 'pages_messaging'],
  ...['alerts_weather', 'jobs_report', 'interface_subscriberAdded', 'content_in'],
])

const shapes = [
  /\b[A-Za-z]\w*[a-z][A-Z]\w*\b/g, // createThing
  /\b[a-z]+(?:_[a-z0-9]+)+\b/g, // data_in
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, // MILLRACE_DATA
]

/** Every identifier in code marks stands in the code: as a word, in a name, or as a limit. */
export const namedIdentifiersExist: Check = (files) => {
  const words = collectWords(files)
  const joined = [...words].join(' ')
  const paths = [...files.keys()].join(' ')
  const isThere = (name: string) =>
    words.has(name) ||
    elsewhere.has(name) ||
    words.has(limitNamed(name)) ||
    isPart(joined, name.replace(/^millrace_/, '')) ||
    paths.includes(`/${name}.`)
  return listPages(files).flatMap(([file, text]) =>
    findAll(file, text, /`([^`\n]+)`/g, ([, marked = '']) => marked).flatMap((found) => {
      const names = shapes.flatMap((shape) => found.message.match(shape) ?? [])
      return names
        .filter((name) => !isThere(name))
        .map((name): Finding => ({ ...found, message: `nothing is called ${name}` }))
    }),
  )
}

/** A name may be a part of one, as `cacheMax` of `…CacheMax` is; metrics get their prefix later. */
function isPart(words: string, name: string): boolean {
  const isPlain = name === name.toLowerCase() || name.endsWith('Max')
  return isPlain && words.includes(name)
}

/** `MILLRACE_LIMIT_TIMERS_MAX` sets `timersMax`. */
function limitNamed(setting: string): string {
  const name = /^MILLRACE_LIMIT_(\w+)$/.exec(setting)?.[1]?.toLowerCase() ?? ''
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}

/** `Shard.append` (`eventlog/shard.ts`): a symbol, and the file that has it. */
const placed = /`([A-Za-z]\w*(?:\.\w+)?)(?:\(\))?`,? \(`([\w./-]+\.tsx?)`|`([\w./-]+\.tsx?):(\w+)`/g

/** A symbol that a page names with its file stands in that file, or in one of that name. */
export const namedSymbolsStandInTheirFiles: Check = (files) =>
  listPages(files).flatMap(([file, text]) =>
    [...text.replaceAll('\n', ' ').matchAll(placed)].flatMap((match): Finding[] => {
      const path = match[2] ?? match[3] ?? ''
      const words = (match[1] ?? match[4] ?? '').split('.')
      const sources = matching(files, code).filter(([name]) => `/${name}`.endsWith(`/${path}`))
      const stands = sources.some(([, source]) =>
        words.every((word) => new RegExp(String.raw`\b${word}\b`).test(source)),
      )
      if (stands) return []
      const line = lineAt(text, match.index)
      return [{ file, line, message: `${path} has no ${words.join('.')}` }]
    }),
  )

/** Every script that a page runs is one of a package, or of a template's. */
export const namedScriptsExist: Check = (files) => {
  const packages = matching(files, /(^|\/)package\.json$|^insight-sdk\/src\/cli\/new\.ts$/)
  const known = new Set(
    packages.flatMap(([, text]) =>
      [...text.matchAll(/^ +"?([\w:-]+)"?: ["']/gm)].map(([, name]) => name),
    ),
  )
  return listPages(files).flatMap(([file, text]) =>
    findAll(file, text, /\bnpm run ([a-z][\w:-]*)/g, ([, name = '']) => name)
      .filter(({ message }) => !known.has(message))
      .map((one) => ({ ...one, message: `no package has the script ${one.message}` })),
  )
}

/** The keys of the tables of commands: `solution`, `solution push`. */
function listCommands(files: Files): Set<string> {
  const tables = matching(
    files,
    /^cli\/src\/(?:commands|local-commands)\.ts$|^cli\/src\/commands\/.*\.ts$/,
  )
  const key = /^ +(?:'([a-z][a-z -]+)'|([a-z]+)): /gm
  return new Set(
    tables.flatMap(([, text]) =>
      [...text.matchAll(key)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ),
  )
}

/** Every command that a page runs or names is one. */
export const namedCommandsExist: Check = (files) => {
  const commands = listCommands(files)
  const nouns = new Set([...commands].flatMap((name) => name.split(' ').slice(0, -1).join(' ')))
  const isThere = (words: readonly string[]): boolean => {
    const [first = '', second] = words
    if (second === undefined) return commands.has(first) || nouns.has(first)
    const both = `${first} ${second}`
    // Behind a command of one word stands what it works on: `backup night.bak`.
    return commands.has(both) || nouns.has(both) || commands.has(first)
  }
  const called = /\bnpx millrace ([a-z]+)(?: ([a-z][a-z-]*))?(?=[\s`'")|;,.]|$)/gm
  return listPages(files).flatMap(([file, text]) =>
    findAll(file, text, called, ([, noun = '', verb]) => [noun, verb ?? []].flat().join(' '))
      .filter(({ message }) => !isThere(message.split(' ')))
      .map((one) => ({ ...one, message: `there is no command ${one.message}` })),
  )
}

/** An operator finds each setting in the table of the first page, or with others of its kind. */
export const settingsHaveRows: Check = (files) => {
  const rows = files.get('README.md') ?? ''
  const page = files.get('docs/operating/monitoring.md') ?? ''
  const isThere = (name: string) =>
    [name, ...[...name.matchAll(/_/g)].slice(1).map(({ index }) => name.slice(index))].some((one) =>
      // The variables of OpenTelemetry stand on the page that the row links.
      (name.startsWith('OTEL_') ? rows + page : rows).includes(`\`${one}\``),
    )
  return matching(files, /\/config\/[a-z-]+\.ts$/).flatMap(([file, text]) =>
    findAll(file, text, /^ {4}name: '([A-Z_]+)'/gm, ([, name = '']) => name)
      .filter(({ message }) => !isThere(message))
      .map((one) => ({ ...one, message: `README.md has no row of ${one.message}` })),
  )
}
