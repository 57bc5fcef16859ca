import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createAccounts } from '../../src/accounts/index.ts'
import { createAssets } from '../../src/assets/index.ts'
import type { Database, Queryable } from '../../src/database/index.ts'
import { createEventLog } from '../../src/eventlog/index.ts'
import { createGraphql, type GraphqlOptions } from '../../src/graphql/index.ts'
import { createHosts } from '../../src/hosts/index.ts'
import { createLogger, type Logger, systemClock, systemRandom } from '../../src/kernel/index.ts'
import { createOutbound } from '../../src/outbound/index.ts'
import { createPipelines } from '../../src/pipelines/index.ts'
import { createProvisioning, valueEffects } from '../../src/provisioning/index.ts'
import { testDatabase } from './database.ts'
import { testSecrets } from './secrets.ts'

/** What a GraphQL answer is made of. */
export type Answer = {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions: { readonly code: string }
  }[]
}

export type GraphqlBench = Awaited<ReturnType<typeof graphqlBench>>

/** A GraphQL door on a port of its own, with the modules that it asks on a fresh database. */
export async function graphqlBench(
  t: Pick<TestContext, 'after'>,
  change: (options: GraphqlOptions) => GraphqlOptions = (options) => options,
) {
  let services: ReturnType<typeof openServices> | undefined
  // Hooks run in the order in which they are given: this one before the database's own.
  t.after(() => services?.close())
  const counted = countStatements(await testDatabase(t))
  services = openServices(counted.database)
  const logged: unknown[] = []
  const logger: Logger = { ...services.logger, error: (...line: unknown[]) => logged.push(line) }
  const url = await serve(t, change({ ...services, logger }))
  const business = await services.accounts.createBusiness({ name: 'Example' })
  const other = await services.accounts.createBusiness({ name: 'Other' })
  const tokenOf = async (businessId: string, role: string) => {
    const { token } = await services.accounts.createToken(businessId, { name: role, role })
    return `Automation ${token}`
  }
  return {
    ...services,
    url,
    logged,
    statements: counted.statements,
    business: business.id,
    other: other.id,
    administrator: await tokenOf(business.id, 'Administrator'),
    operator: await tokenOf(business.id, 'Operator'),
    viewer: await tokenOf(business.id, 'Viewer'),
    stranger: await tokenOf(other.id, 'Administrator'),
  }
}

function openServices(database: Database) {
  const clock = systemClock()
  const random = systemRandom
  const logger = createLogger('silent')
  const accounts = createAccounts({ database, clock, random, logger })
  const assets = createAssets({ database, clock, random })
  const eventlog = createEventLog({ database, clock, logger, effects: valueEffects })
  const outbound = createOutbound({ allow: ['127.0.0.1:*'], logger })
  const secrets = testSecrets()
  const hosts = createHosts({ database, clock, logger, reserved: [] })
  const provisioning = createProvisioning({
    ...{ database, eventlog, hosts, outbound, secrets, clock, random, logger },
  })
  const pipelines = createPipelines({ database, eventlog, assets, outbound, clock, random, logger })
  return {
    ...{ database, accounts, assets, eventlog, provisioning, pipelines, clock, logger },
    async close() {
      await pipelines.stop()
      await provisioning.close()
      await eventlog.close()
      await outbound.close()
    },
  }
}

async function serve(t: Pick<TestContext, 'after'>, options: GraphqlOptions): Promise<string> {
  const { handle } = createGraphql(options)
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/graphql`
}

/** Sends a document as an integration does. */
export async function ask(
  bench: { readonly url: string },
  authorization: string,
  query: string,
  variables?: Record<string, unknown>,
): Promise<Answer> {
  const response = await fetch(bench.url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as Answer
}

/** The codes of an answer's errors. */
export const codes = (answer: Answer) => answer.errors?.map((error) => error.extensions.code)

function countStatements(database: Database) {
  let count = 0
  const counting = ({ rows, one, run }: Queryable): Queryable => ({
    rows: counted(rows),
    one: counted(one),
    run: counted(run),
  })
  function counted<Call extends (...args: never[]) => unknown>(call: Call): Call {
    const counter = (...args: never[]) => {
      count += 1
      return call(...args)
    }
    return counter as Call
  }
  return {
    database: {
      ...database,
      ...counting(database),
      transaction: (work) => database.transaction((held) => work(counting(held))),
    } satisfies Database as Database,
    /** How many statements ran so far. */
    statements: () => count,
  }
}
