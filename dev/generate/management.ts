import { type Contract, contracts, isStream, tags } from '../../server/src/api/management/index.ts'
import { fieldsTable } from '../../server/src/foundation/kernel/index.ts'

const head = `# Calls of the management API

Every call, with its parameters and the fields of its body. \`npm run generate\` generates this
page from the operations in \`server/src/api/management/operations\`, which are also what checks the
requests. The [management API](management.md) explains credentials, settings and identities; an
instance shows the same calls, with their answers, at \`/api:1/docs\`.

A credential may make a call if its role has the permission that the call names. Every call may
also answer the errors that follow from it: of a body that is malformed, or of a credential that is
unknown ([errors](errors.md)).
`

/** The page of all calls of the management API. */
export function managementCallsPage(): string {
  const sections = Object.entries(tags).flatMap(([tag, sentence]) => {
    const calls = contracts.filter((contract) => contract.tag === tag)
    return calls.length === 0 ? [] : [`## ${tag}`, sentence, ...calls.map(section)]
  })
  return `${[head.trimEnd(), ...sections].join('\n\n')}\n`
}

function section(contract: Contract): string {
  const { id, method, path, summary, permission } = contract
  const { description, query, headers, answers, refuses = [] } = contract.details()
  const shown = path.replace(/:([a-z]\w*)/g, '<$1>')
  const parts = [
    `### ${id}`,
    `\`${method} ${shown}\`: ${inWords[permission] ?? `needs \`${permission}\``}.`,
  ]
  parts.push(description === undefined ? summary : `${summary} ${description}`)
  if (query !== undefined) parts.push(fieldsTable(query, 'parameter'))
  if (headers !== undefined) parts.push(fieldsTable(headers, 'header'))
  parts.push(...formatBody(contract))
  const success = Object.entries(answers).map(([status, { description: text }]) => [status, text])
  parts.push(`Success: ${success.map(([status, text]) => `${status}, ${lower(text)}`).join('; ')}`)
  const links = refuses.map((code) => `[\`${code}\`](errors.md#${code})`)
  if (links.length > 0) parts.push(`It may refuse with ${links.join(', ')}.`)
  return parts.join('\n\n')
}

const inWords: Readonly<Record<string, string>> = {
  none: 'no credential',
  account: 'any credential',
  operator: 'the operator of the instance alone',
}

function formatBody(contract: Contract): string[] {
  const { body } = contract.details()
  if (body === undefined) return []
  if (!isStream(body)) {
    const table = fieldsTable(body, 'field')
    return [table === '' ? 'The body is JSON.' : table]
  }
  const types = body.stream.map((type) => `\`${type}\``).join(' or ')
  const table = body.schema === undefined ? '' : fieldsTable(body.schema, 'field')
  const sentence = `The body is ${types}, of at most ${body.bytesMax} bytes.`
  return table === '' ? [sentence] : [sentence, table]
}

function lower(text = ''): string {
  return /^[A-Z][A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
