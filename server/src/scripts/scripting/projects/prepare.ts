import type { Transaction } from '../../../foundation/database/index.ts'
import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import { type Configuration, checkService, storableField } from '../configurations/configuration.ts'
import {
  type ConfiguredService,
  type ConfigureInput,
  type Offers,
  type Service,
  takeInput,
} from '../configurations/service.ts'
import { scriptingLimits } from '../limits.ts'
import { isParameterName, parseAlias } from '../registry/alias.ts'
import { usedService } from '../registry/build.ts'
import { findProblems, throwProblems } from '../registry/check.ts'
import { definedHandlers } from '../registry/headers.ts'
import type { RegistryOptions } from '../registry/options.ts'
import { defaultPath, type ScriptText } from '../registry/script.ts'
import {
  insertConfiguration,
  readConfigurations,
  updateConfiguration,
} from '../store/configurations.ts'
import { readScripts, writeScripts } from '../store/scripts.ts'

export type WantedService = {
  readonly service: string
  /** The service's own where it is left out. */
  readonly alias?: string | undefined
  readonly body: Fields
  /** Stored although others rely on what was stored before. */
  readonly allowBreaking?: boolean
  /** A script of the solution changes it: its handler `config_service` is not called. */
  readonly byScript?: boolean
  /** As that of `ConfigureInput`. */
  readonly note?: ConfigureInput['note']
}

/** A configuration that its service has agreed to, and that is not stored yet. */
export type PreparedConfiguration = {
  readonly before: Configuration | undefined
  readonly after: Configuration
  readonly handlers: readonly PreparedHandler[]
  readonly notes?: ConfiguredService['notes']
  readonly storeIn?: ConfiguredService['storeIn']
}

/** `always`: also in place of a handler that the solution has. */
type PreparedHandler = { readonly script: ScriptText; readonly always: boolean }

/** @throws Fault not_found where there is no such service, invalid_argument */
export async function prepareAdded(
  options: RegistryOptions,
  businessId: string,
  solutionId: string,
  { service: name, ...wanted }: WantedService,
): Promise<PreparedConfiguration> {
  const service = await findService(options, businessId, name)
  return prepareGiven(options, businessId, solutionId, service, wanted)
}

/** As `prepareAdded`, of a service that is known, though it may not be stored yet. */
export async function prepareGiven(
  options: RegistryOptions,
  businessId: string,
  solutionId: string,
  service: Service,
  { alias, body, allowBreaking = false, note }: Omit<WantedService, 'service'>,
): Promise<PreparedConfiguration> {
  const input = { businessId, solutionId, before: undefined, body, allowBreaking, note }
  const configured = await configure(options, service, input)
  const nowUs = options.clock.nowUs()
  const after = {
    id: newUuid(options.random),
    businessId,
    solutionId,
    service: service.name,
    connector: service.connector === true,
    ...makeParts(service, configured, alias ?? configured.alias),
    createdAt: nowUs,
    updatedAt: nowUs,
  }
  return { ...(await prepare(options, service, undefined, after)), ...pickRest(configured) }
}

async function configure(
  options: RegistryOptions,
  service: Service,
  input: ConfigureInput,
): Promise<ConfiguredService> {
  if (service.configure !== undefined) {
    const configured = await service.configure(takeInput(service, input))
    const { offers } = configured
    if (offers !== undefined) await refuseOffers(options, input.solutionId, offers)
    return configured
  }
  refuseSettings(service.name, input)
  return { alias: service.name, parameters: {} }
}

/** Refuses offers with which nobody could add the solution as a service. */
async function refuseOffers(
  { host, services }: RegistryOptions,
  solutionId: string,
  offers: Offers,
): Promise<void> {
  const { alias, titles, events } = offers
  refuseReserved(services, parseAlias(alias.text, alias.field), alias.field)
  for (const { field, text } of titles) {
    if (!isParameterName(text)) throw invalidField(field, 'must be a name in Lua')
  }
  const scripts = events.flatMap(({ name, defaultScript: source }) => {
    const key = { kind: 'handler', name: `${alias.text}_${name}` } as const
    return source === undefined ? [] : [{ ...key, file: defaultPath(key), firstLine: 1, source }]
  })
  throwProblems(await findProblems(host, solutionId, scripts))
}

function refuseReserved(
  services: RegistryOptions['services'],
  alias: string,
  field: string,
  own?: string,
): void {
  const reserved = services
    .always()
    .find(({ name, yields }) => yields !== true && name === alias.toLowerCase())
  if (reserved === undefined || reserved.name === own) return
  throw invalidField(field, `${alias} is a service that every solution has`)
}

/** The empty settings that were read of a service without settings may be written back. */
function refuseSettings(service: string, { body, note }: ConfigureInput): void {
  const { parameters = {}, triggers = {}, ...rest } = body
  const others = [rest, parameters, triggers].flatMap((one) => {
    return isJsonObject(one) ? Object.keys(one) : ['parameters']
  })
  for (const other of others) {
    const sentence = `${service} has no setting ${other.slice(0, 40)}`
    if (note === undefined) throw new Fault('invalid_argument', sentence)
    note(`${sentence}: it is kept and has no effect`)
  }
}

/** @throws Fault not_found where its service is gone, invalid_argument, breaking_change */
export async function prepareUpdated(
  options: RegistryOptions,
  before: Configuration,
  { alias, body, allowBreaking = false, note }: Omit<WantedService, 'service'>,
): Promise<PreparedConfiguration> {
  const { businessId, solutionId } = before
  const service = await options.services.of(before)
  if (service === undefined) throw unknownService(before.service)
  const input = { businessId, solutionId, before, body, allowBreaking, note }
  const configured = await configure(options, service, input)
  const updatedAt = Math.max(options.clock.nowUs(), before.updatedAt + 1)
  const parts = makeParts(service, configured, alias ?? before.alias)
  const after = { ...before, ...parts, updatedAt }
  return { ...(await prepare(options, service, before, after)), ...pickRest(configured) }
}

/**
 * Stores it in the transaction of a change. @returns false where it was changed since it was read.
 * @throws Fault already_exists where the solution uses the alias already
 */
export async function storePrepared(
  transaction: Transaction,
  { before, after, handlers, storeIn }: PreparedConfiguration,
  at: number,
): Promise<boolean> {
  const { businessId, solutionId, alias } = after
  const result =
    before === undefined
      ? await insert(transaction, after)
      : await updateConfiguration(transaction, businessId, after, before)
  if (result === 'taken') {
    throw new Fault('already_exists', `The solution uses the script_key ${alias} already.`)
  }
  if (result === 'updated') await writeHandlers(transaction, after, handlers, at)
  if (result === 'updated') await storeIn?.(transaction)
  if (result === 'updated' && before === undefined) {
    const all = await readConfigurations(transaction, businessId, solutionId)
    if (all.length > limits.configurationsMax) {
      const most = `${limits.configurationsMax} services`
      throw new Fault('invalid_argument', `A solution has at most ${most}.`)
    }
  }
  return result === 'updated'
}

async function insert(transaction: Transaction, after: Configuration) {
  const inserted = await insertConfiguration(transaction, after.businessId, after)
  return inserted ? 'updated' : 'taken'
}

async function writeHandlers(
  transaction: Transaction,
  { businessId, solutionId }: Configuration,
  handlers: readonly PreparedHandler[],
  at: number,
): Promise<void> {
  if (handlers.length === 0) return
  const scripts = await readScripts(transaction, businessId, solutionId)
  const has = new Set(
    scripts.flatMap(({ kind, name, source }) => {
      return kind === 'handler' ? [name] : [...definedHandlers(source)].map((one) => one.slice(7))
    }),
  )
  const fresh = handlers.filter(({ script, always }) => always || !has.has(script.name))
  const texts = fresh.map(({ script }) => script)
  await writeScripts(transaction, businessId, solutionId, texts, at)
}

async function findService(
  options: RegistryOptions,
  businessId: string,
  name: string,
): Promise<Service> {
  checkService(name)
  const service = await options.services.findNew(businessId, name)
  if (service !== undefined) return service
  throw unknownService(name)
}

function unknownService(name: string): Fault {
  return new Fault('not_found', `There is no service ${name} for this business.`)
}

function pickRest({ notes, storeIn }: ConfiguredService) {
  return { notes, storeIn }
}

function makeParts(service: Service, configured: ConfiguredService, wanted: string) {
  const alias = parseAlias(wanted)
  const { configurationBytesMax } = scriptingLimits
  if (service.always && alias.toLowerCase() !== service.name) {
    throw invalidField(
      'script_key',
      `of ${service.name} can only be its name: every solution has it`,
    )
  }
  const { parameters, triggers = {}, hidden = {} } = configured
  return {
    alias: service.always ? service.name : alias,
    parameters: storableField('parameters', parameters, configurationBytesMax),
    triggers: storableField('triggers', triggers, configurationBytesMax),
    hidden: storableField('hidden', hidden, configurationBytesMax),
  }
}

async function prepare(
  { host, services }: RegistryOptions,
  service: Service,
  before: Configuration | undefined,
  after: Configuration,
): Promise<PreparedConfiguration> {
  const { solutionId } = after
  refuseReserved(services, after.alias, 'script_key', service.name)
  // Under another alias its handlers have other names.
  const same = before?.alias === after.alias ? before : undefined
  const known = same && usedService(service, same).events
  const handlers = usedService(service, after).events.flatMap((event): PreparedHandler[] => {
    const was = known?.find(({ name }) => name === event.name)
    const renewed = event.script !== undefined && event.script !== was?.script
    const offered = event.defaultScript !== was?.defaultScript ? event.defaultScript : undefined
    const source = renewed ? event.script : offered
    if (source === undefined) return []
    const key = { kind: 'handler', name: `${after.alias}_${event.name}` } as const
    return [{ script: { ...key, file: defaultPath(key), firstLine: 1, source }, always: renewed }]
  })
  const scripts = handlers.map(({ script }) => script)
  throwProblems(await findProblems(host, solutionId, scripts))
  return { before, after, handlers }
}

function newUuid(random: RegistryOptions['random']): string {
  const bytes = random(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [8, 12, 16, 20, 32].map((end, at, ends) => hex.slice(ends[at - 1] ?? 0, end)).join('-')
}
