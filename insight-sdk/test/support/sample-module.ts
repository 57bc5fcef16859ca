import {
  defineFunction,
  defineModule,
  type InsightModule,
  type LifecycleEvent,
} from '../../src/index.ts'

const translations = { de: { name: 'Skalieren', description: 'Mal einem Faktor' } }

/** Every field that the protocol has, once. */
const scale = defineFunction({
  id: 'scale',
  name: 'Scale',
  description: 'Times a factor',
  translations,
  constants: {
    factor: {
      type: 'number',
      description: 'By how much',
      default: 2,
      minimum: 1,
      maximum: 10,
      translations: { de: { description: 'Um wie viel' } },
    },
    mode: {
      type: 'string',
      enum: ['a', 'b'],
      enum_presented: ['Mode A', 'Mode B'],
      translations: { de: { enum_presented: ['Art A', 'Art B'] } },
    },
    offsets: { type: 'number', multiple: true },
  },
  constants_multiple_maximum: 3,
  inlets: {
    left: {
      name: 'Left',
      primitive_type: 'NUMERIC',
      data_type: ['TEMPERATURE'],
      data_unit: ['DEG_CELSIUS'],
      description: 'The left one',
      translations,
    },
  },
  outlets: {
    scaled: {
      name: 'Scaled',
      primitive_type: 'NUMERIC',
      data_type: ['TEMPERATURE'],
      data_unit: ['DEG_CELSIUS'],
      description: 'The result',
      suggested_name: '{} scaled',
      translations: { de: { name: 'Skaliert', suggested_name: '{} skaliert' } },
    },
    problems: { name: 'Problems', problems: true },
  },
  process({ constants, inlet, emit }) {
    for (const source of inlet('left')) emit('scaled', source, source.value * constants.factor)
  },
})

const count = defineFunction({
  id: 'count',
  name: 'Count',
  description: 'How many came so far',
  groups: ['counters'],
  inlets: { any: { name: 'Any', primitive_type: 'JSON' } },
  outlets: { count: { name: 'Count', primitive_type: 'NUMERIC' } },
  state: () => ({ count: 0 }),
  process({ state, signals, emit }) {
    for (const source of signals) {
      state.count += 1
      emit('count', source, state.count)
    }
  },
})

const high = defineFunction({
  id: 'rules/high',
  name: 'High',
  description: 'Critical above a limit',
  type: 'rule',
  constants: { limit: { type: 'number', required: true, default: 1 } },
  inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
  outlets: { status: { name: 'Status', primitive_type: 'JSON' } },
  process({ constants, inlet, emit }) {
    for (const source of inlet('x')) {
      emit('status', source, { level: source.value > constants.limit ? 3 : 0 })
    }
  },
})

const broken = defineFunction({
  id: 'broken',
  name: 'Broken',
  description: 'Always throws',
  type: 'action',
  process() {
    throw new Error('secret detail')
  },
})

const endless = defineFunction({
  id: 'endless',
  name: 'Endless',
  description: 'Never ends',
  type: 'action',
  process: () => new Promise<void>(() => undefined),
})

/** A module with a function for each thing to try; `events` receives lifecycle events. */
export function sampleModule(events: LifecycleEvent[] = []): InsightModule {
  return defineModule({
    name: 'Sample',
    description: 'All that the *protocol* has',
    version: '2.1.0',
    translations: { de: { name: 'Muster', description: 'Alles' } },
    configuration: [
      {
        name: 'region',
        description: 'Where it runs',
        type: 'string',
        format: 'text',
        required: false,
      },
    ],
    functions: [scale, count, high, broken, endless],
    onLifecycle: (event) => void events.push(event),
  })
}
