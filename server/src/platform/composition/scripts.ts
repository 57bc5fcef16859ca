import { notifyLabel } from '../../api/http/index.ts'
import type { Hosts } from '../../devices/hosts/index.ts'
import type { Provisioning, Secrets } from '../../devices/provisioning/index.ts'
import type { Transaction } from '../../foundation/database/index.ts'
import type { VendorName } from '../../foundation/kernel/index.ts'
import type { Mail } from '../../foundation/mail/index.ts'
import type { Http2, Outbound } from '../../foundation/outbound/index.ts'
import type { Accounts } from '../../people/accounts/index.ts'
import {
  createScripting,
  type Scripting,
  type ScriptingOptions,
} from '../../scripts/scripting/index.ts'
import { createAccountService } from '../../scripts/services/account/index.ts'
import { createConfigService, createScriptsService } from '../../scripts/services/config/index.ts'
import { createContent, readFileBytes } from '../../scripts/services/content/index.ts'
import {
  createConnectorServices,
  createOwnConnectors,
} from '../../scripts/services/device/index.ts'
import { createEmailService } from '../../scripts/services/email/index.ts'
import { createAllowances, createHttpService } from '../../scripts/services/http/index.ts'
import { createInterface } from '../../scripts/services/interface/index.ts'
import { createKeystore } from '../../scripts/services/keystore/index.ts'
import { createLegacyServices } from '../../scripts/services/legacy/index.ts'
import { createNotifications, createProviders } from '../../scripts/services/notification/index.ts'
import { createOpenApiServices } from '../../scripts/services/openapi/index.ts'
import { createTimers } from '../../scripts/services/timer/index.ts'
import { createTsdb } from '../../scripts/services/tsdb/index.ts'
import { createUsers } from '../../scripts/services/user/index.ts'
import { createWebservice } from '../../scripts/services/webservice/index.ts'
import type { OutboundClients } from '../platform.ts'

type ServicesOptions = ScriptingOptions & {
  readonly vendors: readonly VendorName[]
  readonly hosts: Hosts
  readonly outbound: Outbound
  readonly http2: Http2
  readonly providerClients: OutboundClients
  readonly secrets: Secrets
  readonly provisioning: Provisioning
  readonly mail: Mail
  readonly accounts: Accounts
  readonly domain: string
  readonly notifyUrl: string | undefined
}

/** Scripts, and the services that they may call. */
export function openScripts(options: ServicesOptions) {
  const { clock, providerClients } = options
  const scripting = createScripting(options)
  const { services } = scripting.api
  const interfaces = createInterface({ ...options, scripts: scripting.api })
  const keystore = createKeystore(options)
  const timers = createTimers({ ...options, ...scripting, deliveries: scripting.api.deliveries })
  services.register(interfaces.service)
  const allowances = createAllowances(options)
  const http = createHttpService({ ...options, allowances })
  services.register(http)
  services.register(keystore.service)
  services.register(timers.service)
  const tsdb = createTsdb(options)
  services.register(tsdb.service)
  services.register(createConfigService({ ...scripting, domain: options.domain }))
  services.register(createScriptsService(scripting.api))
  services.register(createAccountService(options.accounts))
  const content = createContent({ ...options, ...countStorage(options, scripting) })
  services.register(content.service)
  services.register(createEmailService(options))
  for (const service of createLegacyServices()) services.register(service)
  const users = createUsers({ ...options, scripts: scripting.api })
  services.register(users.service)
  const { api } = scripting
  const described = createOpenApiServices({ ...options, scripts: api, http })
  services.register(described.service)
  const webservice = createWebservice({
    ...options,
    scripts: api,
    holders: options.accounts,
    files: content,
    callbacks: described.callbacks,
  })
  for (const service of webservice.services) services.register(service)
  const notifications = createNotifications({
    ...options,
    configurations: api.configurations,
    ledger: options.eventlog,
    providers: createProviders({ clock, ...providerClients }),
    baseUrl: options.notifyUrl ?? `https://${notifyLabel}.${options.domain}`,
    publicUrl: options.notifyUrl,
  })
  for (const service of notifications.services) services.register(service)
  services.registerFinder(createConnectorServices(options.provisioning))
  services.registerOwn(createOwnConnectors(options.provisioning))
  services.registerFinder(interfaces.finder)
  const own = { keystore, timers, notifications, tsdb, users, webservice }
  return { scripting, allowances, interfaces, files: content.files, content, ...own }
}

/** Counts what solutions keep for the quota of their business. */
function countStorage({ accounts: { quotas } }: ServicesOptions, { solutions }: Scripting) {
  quotas.addCount('storage', async (queryable, businessIds) => {
    const owners = new Map(
      [...(await solutions.businesses())].filter(([, id]) => businessIds.includes(id)),
    )
    const sums = new Map<string, number>()
    for (const { solutionId, bytes } of await readFileBytes(queryable, [...owners.keys()])) {
      const id = owners.get(solutionId) ?? ''
      sums.set(id, (sums.get(id) ?? 0) + bytes)
    }
    return sums
  })
  return {
    async requireStorage(transaction: Transaction, solutionId: string): Promise<void> {
      const id = await solutions.findBusiness(solutionId)
      if (id !== undefined) await quotas.require(transaction, id, 'storage')
    },
  }
}
