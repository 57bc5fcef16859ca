import { defineFunction, defineModule } from '@millrace/insight-sdk'

const scale = defineFunction({
  id: 'scale',
  name: 'Scale',
  description: 'Multiplies a signal by a factor',
  constants: {
    factor: { type: 'number', description: 'By how much', default: 2, minimum: 0 },
  },
  inlets: { signal: { name: 'Signal', primitive_type: 'NUMERIC' } },
  outlets: {
    scaled: { name: 'Scaled', primitive_type: 'NUMERIC', suggested_name: '{} result' },
    problems: { name: 'Problems', problems: true },
  },
  process({ constants, inlet, emit }) {
    for (const source of inlet('signal')) emit('scaled', source, source.value * constants.factor)
  },
})

const high = defineFunction({
  id: 'high',
  name: 'High',
  description: 'Critical above a limit',
  type: 'rule',
  constants: { limit: { type: 'number', description: 'The highest good value', default: 50 } },
  inlets: { signal: { name: 'Signal', primitive_type: 'NUMERIC' } },
  outlets: {
    status: { name: 'Status', data_type: ['STATUS'], primitive_type: 'JSON' },
    problems: { name: 'Problems', problems: true },
  },
  process({ constants, inlet, emit }) {
    for (const source of inlet('signal')) {
      const isHigh = source.value > constants.limit
      emit('status', source, isHigh ? { level: 3, type: 'high' } : { level: 0 })
    }
  },
})

export const insightModule = defineModule({
  name: 'Scaling',
  description: 'Multiplies signals, and watches them',
  functions: [scale, high],
})
