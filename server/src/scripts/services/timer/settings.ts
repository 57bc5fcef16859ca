import type { Queryable } from '../../../foundation/database/index.ts'
import {
  type Clock,
  createSettingsParser,
  type Fields,
  invalidField,
  isJsonObject,
  StrictObject,
  Type,
  withoutUnknown,
} from '../../../foundation/kernel/index.ts'
import type { ConfiguredService, ConfigureInput, ServiceSettings } from '../../scripting/index.ts'
import { nextTime } from './repetition.ts'
import { deleteByPrefix, putTimer } from './store.ts'

/** The times of a configuration, each by the name that cron has for it. */
const times = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const

/** The ids of the timers that a configuration sets begin with it. */
export const scheduledPrefix = 'schedule:'

function createSchema() {
  const turnedOn = (name: string) => {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return Type.Optional(Type.Boolean({ title, default: false }))
  }
  const schedule = Object.fromEntries(times.map((name) => [name, turnedOn(name)]))
  return StrictObject({
    schedule: Type.Optional(
      StrictObject(schedule, {
        title: 'Schedule',
        description: 'The times in UTC at which the handler is called.',
      }),
    ),
  })
}

/** The contract of its settings. */
export const timerSettings: ServiceSettings = {
  schema: createSchema,
  listSecrets: () => [],
  hasTriggers: false,
}

const parse = createSettingsParser(createSchema, 'timer', '')

/**
 * Reads the times at which the handler is called. Left out of a change they stay, and left out of
 * a project they end. @throws Fault invalid_argument
 */
export function configureTimers(clock: Clock, input: ConfigureInput): ConfiguredService {
  const { businessId, solutionId, before } = input
  const given = settingsIn(input)
  const stored = input.note === undefined ? before?.parameters : undefined
  const { schedule } = parse({ ...stored, ...given })
  const wanted = new Set(
    Object.entries(schedule ?? {}).flatMap(([name, isOn]) => (isOn ? [name] : [])),
  )
  return {
    alias: 'timer',
    parameters: schedule === undefined ? {} : { schedule },
    async storeIn(transaction) {
      await removeScheduled(transaction, solutionId)
      const nowUs = clock.nowUs()
      for (const name of wanted) {
        const timerId = scheduledPrefix + name
        const repeats = { kind: 'schedule', schedule: `@${name}`, timezone: 'UTC' } as const
        const dueAt = nextTime(repeats, nowUs, nowUs) ?? nowUs
        const timer = { businessId, solutionId, timerId, alias: 'timer', message: null }
        await putTimer(transaction, { ...timer, dueAt, repeats }, nowUs)
      }
    },
  }
}

function settingsIn({ body, note }: ConfigureInput): Fields {
  const { parameters = {}, triggers = {}, ...rest } = body
  if (!isJsonObject(parameters)) throw invalidField('parameters', 'must be an object')
  const isPlain = isJsonObject(triggers) && Object.keys(triggers).length === 0
  const given = { ...parameters, ...rest, ...(!isPlain && { triggers }) }
  if (note === undefined) return given
  const unknown = (path: string) =>
    note(`timer has no setting ${path}: it is kept and has no effect`)
  return withoutUnknown(createSchema(), given, unknown) as Fields
}

/** Removes the timers that a configuration set. */
export async function removeScheduled(database: Queryable, solutionId: string): Promise<void> {
  await deleteByPrefix(database, solutionId, scheduledPrefix, true)
}
