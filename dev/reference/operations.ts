import {
  fieldsTable,
  type OperationSchema,
  type OperationSchemas,
  typeInWords,
} from '../../server/src/kernel/index.ts'
import { keystoreOperations } from '../../server/src/services/keystore/index.ts'
import { timerOperations } from '../../server/src/services/timer/index.ts'

/** The services by name, each with its page and its operations. */
export const services: readonly {
  readonly name: string
  readonly page: string
  readonly schemas: OperationSchemas
}[] = [
  { name: 'keystore', page: 'keystore.md', schemas: keystoreOperations.schemas },
  { name: 'timer', page: 'timer.md', schemas: timerOperations.schemas },
]

const head = `# Operations of services

Every operation that a script can call, with its arguments and its result. \`npm run reference\`
generates this page from the schemas in \`server/src/services\`, which are also what checks the
arguments.

Arguments are the fields of one table. A field that is nil counts as left out; an empty table is an
object or a list, as the field needs it. A field that is not listed is rejected. A failure
is not a result: it is an object \`{type, error, status}\`.
`

/** The page of all operations. */
export function operationsPage(): string {
  const sections = services.map(({ name, page, schemas }) => {
    const parts = Object.entries(schemas).map(([operation, schema]) => section(operation, schema))
    return [`## ${name}\n\nMore in [its page](${page}).\n`, ...parts].join('\n')
  })
  return [head, ...sections].join('\n')
}

function section(name: string, { description, args, result }: OperationSchema): string {
  const given = fieldsTable(args, 'argument')
  const returned = fieldsTable(result, 'field')
  const lines = [`### ${name}`, description]
  lines.push(given === '' ? 'It has no arguments.' : given)
  lines.push(returned === '' ? `Result: ${typeInWords(result)}.` : `Result:\n\n${returned}`)
  return `${lines.join('\n\n')}\n`
}
