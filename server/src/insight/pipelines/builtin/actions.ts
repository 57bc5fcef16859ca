import type { ConstantInfo } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Constants } from '../types.ts'
import { type Builtin, listIn, textIn } from './builtin.ts'

const statusInlet = {
  name: 'status',
  data_type: ['STATUS'],
  description: 'The status of a rule.',
} as const

const text = (name: string, description: string): ConstantInfo => {
  return { name, type: 'string', description }
}

const places = '`{level}`, `{type}`, `{category}` and `{value}` are those of the status'

/** They run as jobs, by what `Acting` can do; in a simulation they do nothing. */
function define(
  insight: Pick<Builtin['insight'], 'id' | 'name' | 'description' | 'constants'>,
  check: (constants: Constants) => void,
): Builtin {
  return {
    group: 'actions',
    insight: { ...insight, type: 'action', inlets: [statusInlet], outlets: [] },
    check,
    process: () => ({ outlets: [] }),
  }
}

function need(constants: Constants, ...names: readonly string[]): void {
  const missing = names.find((name) => textIn(constants, name) === '')
  if (missing !== undefined)
    throw new Fault('invalid_argument', `The constant "${missing}" is missing.`)
}

/** Actions that need no module. */
export const actions: readonly Builtin[] = [
  define(
    {
      id: 'send_notification',
      name: 'Send a notification',
      description: 'Sends a notification to people when the level changes.',
      constants: [
        text('solution', 'The id of the solution that has their bindings.'),
        text('service', 'The `ServiceSid` of the bindings.'),
        { ...text('identities', 'The identities of the people.'), multiple: true },
        text('title', `The title; ${places}.`),
        { ...text('body', `The text; ${places}.`), default: 'Level {level}' },
        text('from', 'The sender of SMS; left out: the messaging service of the solution.'),
      ],
    },
    (constants) => {
      need(constants, 'solution', 'service')
      if (listIn(constants, 'identities').length > 0) return
      throw new Fault('invalid_argument', 'The constant "identities" is missing.')
    },
  ),
  define(
    {
      id: 'call_solution',
      name: 'Call a solution',
      description: "Runs a solution's handler `pipeline_<event>` when the level changes.",
      constants: [
        text('solution', 'The id of the solution.'),
        { ...text('event', 'The event that its handler is for.'), default: 'status' },
      ],
    },
    (constants) => {
      need(constants, 'solution')
      if (/^[a-zA-Z0-9]+$/.test(textIn(constants, 'event', 'status'))) return
      throw new Fault('invalid_argument', 'The constant "event" must have letters and digits only.')
    },
  ),
  define(
    {
      id: 'set_resource',
      name: 'Set a resource',
      description: 'Sets a resource of a device when the level changes.',
      constants: [
        text('alias', 'The alias of the resource.'),
        { ...text('value', `The value; ${places}.`), default: '{level}' },
        text('connector', "The connector of another device; left out: the asset's."),
        text('identity', 'The identity of that device, among the assets that you see.'),
        {
          name: 'levels',
          type: 'number',
          description: 'The levels at which it is set; left out: all.',
          multiple: true,
          minimum: 0,
          maximum: 4,
        },
      ],
    },
    (constants) => {
      need(constants, 'alias')
      const [connector, identity] = [textIn(constants, 'connector'), textIn(constants, 'identity')]
      if ((connector === '') === (identity === '')) return
      throw new Fault('invalid_argument', 'Give the connector and the identity of the device.')
    },
  ),
]
