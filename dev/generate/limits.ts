import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  fixedReasons,
  formatLimit,
  type LimitName,
  limitDefinitions,
  limitVariable,
  relationSentences,
} from '../../server/src/foundation/kernel/index.ts'

const table = join(import.meta.dirname, '../../server/src/foundation/kernel/limits.ts')

const head = `# Limits

Every limit with its default. [Limits](../operating/limits.md) explains how an operator sets those
that are settable, and which ones matter. This page is generated from the table in
\`server/src/foundation/kernel/limits.ts\`.
`

/** The page, from the comments of the table's source. @throws Error if a limit has no comment. */
export function limitsPage(source = readFileSync(table, 'utf8')): string {
  const comments = readComments(source)
  const sections = (Object.keys(limitDefinitions) as LimitName[]).map((name) => {
    const comment = comments.get(name)
    if (comment === undefined) throw new Error(`${name} has no comment of its own in limits.ts`)
    return `## ${name}\n\n${formatFacts(name)}\n\n${comment}\n`
  })
  const relations = relationSentences().map((sentence) => `* ${sentence}\n`)
  return [head, ...sections, `## Relations\n\n${relations.join('')}`].join('\n')
}

function formatFacts(name: LimitName): string {
  const definition = limitDefinitions[name]
  const value = `**${formatLimit(name, definition.value)}**`
  if (definition.kind !== 'settable') {
    const why = fixedReasons[definition.kind]
    return `${value}; not settable: ${why}.`
  }
  const [lowest, highest] = [definition.lowest, definition.highest].map((one) =>
    formatLimit(name, one),
  )
  return `${value}; settable from ${lowest} to ${highest} by \`${limitVariable(name)}\`.`
}

/** The comment directly before each entry of the table. */
function readComments(source: string): Map<string, string> {
  const entries = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):/g)
  return new Map(
    [...entries].map(([, comment = '', name = '']) => [
      name,
      comment.replace(/\s*\n\s*\*?\s*/g, ' ').trim(),
    ]),
  )
}
