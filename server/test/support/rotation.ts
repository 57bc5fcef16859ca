import { createLogger } from '../../src/kernel/index.ts'
import { openPlatform, type Platform } from '../../src/main.ts'
import { atEnd } from './ends.ts'
import type { TestPlatform } from './platform.ts'

type Context = Parameters<typeof atEnd>[0]

/** Another process on the same database, as far as the first one can tell. */
export async function anotherProcess(t: Context, millrace: TestPlatform): Promise<Platform> {
  const { config, database } = millrace.platform
  const [{ name = '' } = {}] = await database.rows<{ name: string }>(
    'select current_database() as name',
    [],
  )
  const logger = createLogger('silent')
  const { clock } = millrace
  const other = await openPlatform({ config, logger, owner: false, databaseName: name, clock })
  atEnd(t, () => other.close())
  return other
}

export type ApiAnswer = { readonly status: number; readonly body: Record<string, unknown> }

/** A call of the management API on the rotation of one identity. */
export async function rotationCall(
  { httpUrl, token }: Pick<TestPlatform, 'httpUrl' | 'token'>,
  method: 'GET' | 'PUT' | 'DELETE',
  { connectorId, identity }: { readonly connectorId: string; readonly identity: string },
  body?: object,
): Promise<ApiAnswer> {
  const path = `/api:1/service/${connectorId}/device2/identity/${identity}/rotation`
  const answer = await fetch(`${httpUrl}${path}`, {
    method,
    headers: {
      authorization: `Automation ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}
