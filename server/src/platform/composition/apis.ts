import { join } from 'node:path'
import { createGraphql, type Graphql, type GraphqlOptions } from '../../api/graphql/index.ts'
import type { Listeners } from '../../api/http/index.ts'
import {
  createManagement,
  type ManagementOptions,
  OperatorFile,
} from '../../api/management/index.ts'
import { createDeviceHttp, createDeviceMqtt } from '../../devices/device-api/index.ts'
import { vendorNames } from '../../foundation/kernel/index.ts'
import { createRates, createRequestCount, FirstAccount } from '../../people/accounts/index.ts'
import { SolutionTests } from '../../scripts/solution-tests/index.ts'
import type { Platform } from '../platform.ts'
import { makeState } from './observation.ts'
import { type Build, makeTemporaries } from './temporary-instances.ts'

export type Apis = Awaited<ReturnType<typeof openApis>>

/** Builds what answers requests; tests of solutions are run on instances of this `build`. */
export async function openApis(platform: Platform, listeners: Promise<Listeners>, build: Build) {
  const { config, scripting, random } = platform
  const { takeMessage } = platform.accounts.quotas
  const deviceOptions = { ...platform, presenceWanted: scripting.hasConnector, takeMessage }
  const deviceApi = createDeviceHttp({
    ...deviceOptions,
    vendors: vendorNames(config.compatibility),
  })
  const mqtt = await createDeviceMqtt(deviceOptions)
  const operator = new OperatorFile(config.dataDir, random)
  const firstAccount = new FirstAccount(platform.accounts, random)
  const allowed = config.solutionTests === true
  const solutionTests = new SolutionTests({
    ...platform,
    ...makeTemporaries(platform, build),
    allowed,
  })
  const rates = createRates(platform)
  const graphql = openGraphql(platform, { rates })
  const management = openManagement(platform, {
    countRequest: createRequestCount(rates),
    solutionTests,
    operatorToken: operator.token,
    firstAccount,
    listeners,
  })
  return { deviceApi, mqtt, rates, graphql, management, operator, firstAccount, solutionTests }
}

/** The graph API of a platform, of which tests change the options. */
export function openGraphql(
  platform: Platform,
  given: Pick<GraphqlOptions, 'rates'> & Partial<GraphqlOptions>,
): Graphql {
  const { domain, graphqlOrigins: origins } = platform.config
  return createGraphql({ ...platform, domain, origins, ...given })
}

/** The management API of a platform, of which tests change the options. */
export function openManagement(
  platform: Platform,
  given: Pick<ManagementOptions, 'countRequest' | 'solutionTests' | 'listeners'> &
    Partial<ManagementOptions>,
) {
  const { config, database } = platform
  return createManagement({
    ...platform,
    unwritable: database.unwritable,
    instance: makeState(platform),
    roles: config.roles,
    domain: config.domain,
    uploadDir: join(config.dataDir, 'uploads'),
    consoleDir: join(import.meta.dirname, '..', '..', '..', '..', 'console', 'dist'),
    ...given,
  })
}

/** Ends them after a start that failed: what they wait for would keep the process. */
export async function endApis({
  deviceApi,
  mqtt,
  rates,
  graphql,
  management,
}: Apis): Promise<void> {
  deviceApi.close()
  for (const api of [management, graphql]) api.endStreams()
  await mqtt.close()
  await rates.close()
}
