import {
  fieldsTable,
  type OperationSchema,
  type OperationSchemas,
  typeInWords,
} from '../../server/src/foundation/kernel/index.ts'
import { accountOperations } from '../../server/src/scripts/services/account/index.ts'
import {
  configOperations,
  scriptsOperations,
} from '../../server/src/scripts/services/config/index.ts'
import { contentOperations } from '../../server/src/scripts/services/content/index.ts'
import { deviceOperations } from '../../server/src/scripts/services/device/index.ts'
import { emailOperations } from '../../server/src/scripts/services/email/index.ts'
import { httpOperations } from '../../server/src/scripts/services/http/index.ts'
import { interfaceOperations } from '../../server/src/scripts/services/interface/index.ts'
import { keystoreOperations } from '../../server/src/scripts/services/keystore/index.ts'
import { notificationOperations } from '../../server/src/scripts/services/notification/index.ts'
import { timerOperations } from '../../server/src/scripts/services/timer/index.ts'
import { tsdbOperations } from '../../server/src/scripts/services/tsdb/index.ts'
import { userOperations } from '../../server/src/scripts/services/user/index.ts'
import { websocketOperations } from '../../server/src/scripts/services/webservice/index.ts'

type ServiceReference = {
  readonly name: string
  /** The page of docs/reference about the service. */
  readonly page: string
  readonly schemas: OperationSchemas
}

/** The services that scripts can call, by their names. */
export const services: readonly ServiceReference[] = [
  { name: 'config', page: 'config.md', schemas: configOperations.schemas },
  { name: 'device2', page: 'device2.md', schemas: deviceOperations.schemas },
  { name: 'http', page: 'http-client.md', schemas: httpOperations.schemas },
  { name: 'interface', page: 'interface.md', schemas: interfaceOperations.schemas },
  { name: 'keystore', page: 'keystore.md', schemas: keystoreOperations.schemas },
  { name: 'notification', page: 'notification.md', schemas: notificationOperations.schemas },
  { name: 'scripts', page: 'config.md', schemas: scriptsOperations.schemas },
  { name: 'timer', page: 'timer.md', schemas: timerOperations.schemas },
  { name: 'tsdb', page: 'tsdb.md', schemas: tsdbOperations.schemas },
  { name: 'content', page: 'content.md', schemas: contentOperations.schemas },
  { name: 'email', page: 'email.md', schemas: emailOperations.schemas },
  { name: 'user', page: 'user.md', schemas: userOperations.schemas },
  { name: 'account', page: 'account.md', schemas: accountOperations.schemas },
  { name: 'websocket', page: 'websocket.md', schemas: websocketOperations.schemas },
]

const head = `# Operations of services

Every operation that a script can call, with its arguments and its result. \`npm run generate\`
generates this page from the schemas in \`server/src/scripts/services\`, which are also what checks
the arguments.

Arguments are the fields of one table. A field that is nil counts as left out; an empty table is an
object or a list, as the field needs it. A field that is not listed is rejected, except by \`http\`.
A failure is not a result: it is an object \`{type, error, status}\`.
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
