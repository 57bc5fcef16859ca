import type { Hosts } from '../../devices/hosts/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import { createCheckFolder } from './check/check-folder.ts'
import { createConfigurationReads } from './configurations/configuration-reads.ts'
import { type Configurations, createConfigurations } from './configurations/configurations.ts'
import { createServices, type Services } from './configurations/services.ts'
import { createSubscriptions, type Subscriptions } from './configurations/subscriptions.ts'
import { createEndpoints, type Endpoints } from './endpoints/endpoints.ts'
import { createDeliveries, createDeliveryJobs } from './events/deliveries.ts'
import type { TagsOf } from './events/planned-events.ts'
import { createConnectorEvents } from './events/shared-consumer.ts'
import { createFolders } from './projects/push.ts'
import { createReadBehind } from './registry/backlog.ts'
import { createEnvironments } from './registry/environment.ts'
import { createEventHandlers, type EventHandlers } from './registry/event-handlers.ts'
import { createPrograms, type Programs } from './registry/programs.ts'
import { createSolutionScripts } from './registry/scripts.ts'
import { createSolutions } from './registry/solutions.ts'
import { createReadUsage } from './registry/usage.ts'
import { createReplays } from './replays/replays.ts'
import { HandlerRunner } from './runtime/calls/handler-runner.ts'
import { createOwnCalls } from './runtime/calls/own-calls.ts'
import { ServiceRouter } from './runtime/calls/service-router.ts'
import { createScriptHost } from './runtime/create-host.ts'
import type { Scripting, ScriptingOptions } from './scripting.ts'
import type { ScriptingApi } from './scripting-api.ts'
import { createSolutionLog } from './solution-log.ts'
import { readSubscriptions } from './store/configurations.ts'

export function createScripting(options: ScriptingOptions): Scripting {
  const { logger, random } = options
  const services = createServices()
  const subscriptions = createSubscriptions(options.database)
  const handlers = createEventHandlers()
  const built = createPrograms({ ...options, services })
  const programs = notifyingPrograms(built, options, () => {
    subscriptions.forget()
    handlers.forget()
    endpoints.forget()
  })
  const log = createSolutionLog(options.activity)
  const router = new ServiceRouter({ programs, services, log, logger })
  const callService = router.route.bind(router)
  const host = createScriptHost({ hooks: { callService, log: log.write }, logger })
  const runner = new HandlerRunner({ programs, host, log, random, quotas: options.quotas })
  const running = { ...options, programs, runner }
  const queue = createDeliveryJobs(options.jobs, running)
  const deliveries = createDeliveries(queue, running)
  const { tagsOf = noTags } = options
  const events = createConnectorEvents({
    ...running,
    deliveries: queue,
    subscriptions,
    tagsOf,
  })
  const registryOptions = { ...options, host, services, programs, deliveries, events }
  const configurations = createConfigurations(registryOptions)
  const reads = createConfigurationReads(registryOptions)
  const endpoints = createEndpoints({ ...registryOptions, log })
  const caches = { programs: built, subscriptions, handlers, endpoints, services }
  let stopListening = () => {}
  return {
    solutions: createSolutions(registryOptions),
    usage: createReadUsage(registryOptions),
    behind: createReadBehind(options),
    scripts: createSolutionScripts(registryOptions),
    configurations,
    environments: createEnvironments(registryOptions),
    folders: createFolders(registryOptions),
    check: createCheckFolder(registryOptions),
    replays: createReplays({ ...registryOptions, eventlog: options.eventlog, tagsOf }),
    failures: deliveries,
    hasConnector: subscriptions.has,
    dropConnector: (id) => dropConnector(options.database, configurations, id),
    api: createApi({
      runner,
      handlers: handlers.solutions,
      callService: createOwnCalls({ programs, router, random }),
      deliveries,
      endpoints,
      configurations: reads,
      services,
    }),
    changesReached: () => options.database.hints.reached('solutions'),
    start({ events: runsEvents } = { events: true }) {
      stopListening = options.database.hints.listen('solutions', () =>
        invalidateCaches({ ...caches, hosts: options.hosts }),
      )
      if (runsEvents) events.start()
    },
    caughtUp: events.caughtUp,
    async close() {
      stopListening()
      await events.stop()
      await host.close()
    },
  }
}

function createApi(
  parts: Omit<ScriptingApi, 'run' | 'handles' | 'takes'> & { readonly runner: HandlerRunner },
): ScriptingApi {
  const { runner, ...rest } = parts
  const [run, handles, takes] = [runner.run, runner.handles, runner.takes]
  return {
    run: run.bind(runner),
    handles: handles.bind(runner),
    takes: takes.bind(runner),
    ...rest,
  }
}

/** Removes solutions one after the other, each as its operator would. */
async function dropConnector(
  database: Database,
  configurations: Configurations,
  connectorId: string,
): Promise<void> {
  const subscribers = await readSubscriptions(database, [connectorId])
  for (const { business_id: businessId, solution_id: solutionId } of subscribers) {
    const services = await configurations.list(businessId, solutionId)
    const gone = services.filter(({ service, connector }) => connector && service === connectorId)
    for (const { id } of gone) await configurations.remove(businessId, solutionId, id)
  }
}

const noTags: TagsOf = async () => new Map()

type ScriptingCaches = {
  readonly programs: Pick<Programs, 'recheck'>
  readonly subscriptions: Pick<Subscriptions, 'forget'>
  readonly handlers: Pick<EventHandlers, 'forget'>
  readonly endpoints: Pick<Endpoints, 'forget'>
  readonly services: Pick<Services, 'forget'>
  readonly hosts: Pick<Hosts, 'forgetAll'>
}

/** Another process has changed a solution. */
function invalidateCaches({
  programs,
  subscriptions,
  handlers,
  endpoints,
  services,
  hosts,
}: ScriptingCaches): void {
  programs.recheck()
  subscriptions.forget()
  handlers.forget()
  endpoints.forget()
  services.forget()
  hosts.forgetAll()
}

/** Every change of a solution comes by here; it may change its connectors and endpoints. */
function notifyingPrograms(
  programs: Programs,
  { database, changes }: Pick<ScriptingOptions, 'database' | 'changes'>,
  changed: () => void,
): Programs {
  return {
    ...programs,
    forget(businessId, solutionId) {
      programs.forget(businessId, solutionId)
      changed()
      database.hints.notify('solutions', solutionId)
      changes.publish(database, businessId, 'solutions')
    },
  }
}
