import {
  AnyValue,
  defineOperations,
  limits,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'

function name(description: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: limits.nameCharsMax,
    rule: 'must be a text',
    missing: 'must be given',
  })
}

const service = name('The script key or the name of a service of the solution.')
const done = StrictObject({ status: Type.Literal(204) })
const time = Type.Integer({ description: 'Microseconds since 1970.' })

export const configOperations = defineOperations(() => ({
  getParameters: {
    description: 'Reads the parameters of a service of the solution.',
    reads: true,
    args: StrictObject({ service }),
    result: AnyValue<ScriptValue>({
      description: 'the parameters, each by its name, and all of them as `parameters`',
    }),
  },
  setParameters: {
    description: 'Replaces the parameters of a service of the solution.',
    args: StrictObject({
      service,
      parameters: RecordOf(AnyValue<unknown>(), {
        description: 'All parameters of the service.',
        rule: 'must be a table with names',
      }),
    }),
    result: done,
  },
  listServices: {
    description: 'Lists the services that are configured for the solution.',
    reads: true,
    args: StrictObject({}),
    result: Type.Array(
      StrictObject({
        id: Type.String({ description: 'The id of the configuration.' }),
        service: Type.String(),
        script_key: Type.String({ description: 'The name in scripts.' }),
        created_at: time,
        updated_at: time,
      }),
    ),
  },
  solution: {
    description: 'Describes the solution.',
    reads: true,
    args: StrictObject({}),
    result: StrictObject({
      id: Type.String(),
      business_id: Type.String(),
      name: Type.String(),
      domain: Type.String({ description: 'Its host.' }),
      description: Type.String(),
      version: Type.Integer({ description: 'Grows with each change.' }),
      created_at: time,
      updated_at: time,
    }),
  },
}))

export const scriptsOperations = defineOperations(() => ({
  trigger: {
    description: 'Runs another handler of the solution: later, as a durable call, or now.',
    args: StrictObject({
      handler: Type.Optional(name('`<service>_<event>`, in place of `service` and `event`.')),
      service: Type.Optional(name('The service of the handler; `scripts` if it is left out.')),
      event: Type.Optional(name('The event of the handler.')),
      data: Type.Optional(AnyValue<ScriptValue>({ description: 'The argument of the handler.' })),
      mode: Type.Optional(
        Type.Enum(['async', 'sync'], {
          description: '`async` runs it later, which is meant if it is left out; `sync` now.',
        }),
      ),
    }),
    result: AnyValue<ScriptValue>({
      description: '`{status=204}`; of `sync` the result of the handler',
    }),
  },
}))

export type TriggerArguments = Static<typeof scriptsOperations.schemas.trigger.args>
