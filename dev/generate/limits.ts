import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  formatLimit,
  type LimitName,
  limitDefinitions,
  relationSentences,
} from '../../server/src/foundation/kernel/index.ts'
import { fixedLimitRows, joinComment } from './fixed-limits.ts'

const folder = join(import.meta.dirname, '../../server/src/foundation/kernel/limits')

/** The files of the limits that operators set, in the order of the page, with their headings. */
const topics = {
  devices: 'Devices',
  provisioning: 'Connectors',
  log: 'Event log',
  retention: 'Retention',
  people: 'People',
  api: 'APIs',
  insight: 'Assets and modules',
  scripts: 'Scripts and notifications',
  database: 'Database and process',
} as const

type Topic = keyof typeof topics

type Source = (topic: Topic) => string

const head = `# Limits

Every limit that an operator can set, with its default, its lowest and its highest value.
[Limits](../operating/limits.md) explains how to set them, and which ones matter. The variable of
a limit is its name in capitals: \`MILLRACE_LIMIT_SESSION_HOURS\` sets \`sessionHours\`. All other
limits are constants in the code that they guard; those that pages name are
[listed below](#fixed-limits-that-pages-name). This page is generated from
\`server/src/foundation/kernel/limits/\`.
`

const readSource: Source = (topic) => readFileSync(join(folder, `${topic}.ts`), 'utf8')

/** The page, from the comments of the tables. @throws Error if a limit has no comment. */
export function limitsPage(source = readSource): string {
  const sections = (Object.keys(topics) as Topic[]).map((topic) =>
    formatSection(topics[topic], source(topic)),
  )
  const relations = relationSentences().map((sentence) => `* ${sentence}\n`)
  const rest = [`## Relations\n\n${relations.join('')}`, formatFixed()]
  return [head, ...sections, ...rest].join('\n')
}

function formatFixed(): string {
  const settable = Object.entries(limitDefinitions).filter(([, { kind }]) => kind === 'settable')
  const rows = fixedLimitRows(new Set(settable.map(([name]) => name)))
  const columns = '| limit | value | meaning |\n|---|---|---|\n'
  return `## Fixed limits that pages name\n\nNo operator sets these.\n\n${columns}${rows}`
}

function formatSection(title: string, text: string): string {
  const names = [...text.matchAll(/^ {2}(\w+): settable\(/gm)].map(([, name = '']) => name)
  const comments = readComments(text)
  const rows = names.map((name) => {
    const comment = comments.get(name)
    if (comment === undefined) throw new Error(`${name} has no comment of its own`)
    return `| \`${name}\` | ${formatValues(name as LimitName)} | ${comment} |\n`
  })
  const intro = /\/\*\* (.*) \*\/\nexport const/.exec(text)?.[1] ?? ''
  const columns = '| limit | default | lowest | highest | meaning |\n|---|---|---|---|---|\n'
  return `## ${title}\n\n${intro}\n\n${columns}${rows.join('')}`
}

function formatValues(name: LimitName): string {
  const definition = limitDefinitions[name]
  if (definition.kind !== 'settable') throw new Error(`${name} is not settable`)
  const { value, lowest, highest } = definition
  return [value, lowest, highest].map((one) => formatLimit(name, one)).join(' | ')
}

/** The comment directly before each entry of a table. */
function readComments(source: string): Map<string, string> {
  const entries = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):/g)
  return new Map([...entries].map(([, comment = '', name = '']) => [name, joinComment(comment)]))
}
