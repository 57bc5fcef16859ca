import { defineFunction, defineModule, type InsightFunction } from '@millrace/insight-sdk'
import { crestFactor, mean, rms } from './statistics.ts'
import { RollingWindow, windowSamplesMax } from './window.ts'

type Rolling = {
  readonly id: string
  readonly name: string
  readonly description: string
  /**
   * Computes over the values in the window; undefined if there is no result, which is a problem.
   */
  readonly compute: (values: readonly number[]) => number | undefined
}

/** A function with one number a sample, computed from the window that ends with the sample. */
function defineRolling({ id, name, description, compute }: Rolling): InsightFunction {
  return defineFunction({
    id,
    name,
    description,
    type: 'transform',
    constants: {
      window: {
        type: 'number',
        description: 'How many of the latest samples to look at',
        default: 20,
        minimum: 1,
        maximum: windowSamplesMax,
      },
    },
    inlets: { vibration: { name: 'Vibration', primitive_type: 'NUMERIC' } },
    outlets: {
      value: { name, primitive_type: 'NUMERIC', suggested_name: '{}' },
      problems: { name: 'Problems', suggested_name: '{} problems', problems: true },
    },
    state: () => new RollingWindow(),
    process({ constants, state, inlet, emit, problem }) {
      for (const sample of inlet('vibration')) {
        const values = state.add(sample, constants.window).map(({ value }) => value)
        const computed = compute(values)
        if (computed === undefined) problem(sample, `no ${name} of a silent signal`)
        else emit('value', sample, computed)
      }
    },
  })
}

export const vibration = defineModule({
  name: 'Vibration',
  description: 'Rolling figures of a vibration signal',
  functions: [
    defineRolling({
      id: 'rms',
      name: 'RMS',
      description: 'The effective value of the latest samples',
      compute: rms,
    }),
    defineRolling({
      id: 'moving_average',
      name: 'Moving average',
      description: 'The mean of the latest samples',
      compute: mean,
    }),
    defineRolling({
      id: 'crest_factor',
      name: 'Crest factor',
      description: 'Peak over effective value: how much the signal hammers',
      compute: crestFactor,
    }),
  ],
})
