import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import { timeOf } from '../output/output.ts'

type Trace = components['schemas']['Trace']
type Step = Trace['steps'][number]
type Point = components['schemas']['TracePoint']

export const trace = defineCommand({
  options: {
    signal: { meaning: 'The id of a signal.', required: true },
    ts: { meaning: 'The stamp of its value, in microseconds.', required: true },
  },
  operand: 'signal',
  example: 'npx millrace trace 0123456789abcdef --ts 1767225600000000 || true',
  routes: ['traceValue'],
  async run({ signal, ts: text }, { client, out }) {
    if (!/^\d{1,16}$/.test(text)) throw new UsageError('--ts is in microseconds')
    const api = await client()
    const query = { signal, ts: Number(text) }
    const found = await unwrap(api.GET('/api:1/trace', { params: { query } }))
    out.show(found, () => linesOf(found))
    return undefined
  },
})

function linesOf({ value, steps, notes }: Trace): string[] {
  return [pointText(value), ...steps.map(stepText), ...notes.map((note) => `note: ${note}`)]
}

function stepText(step: Step): string {
  switch (step.kind) {
    case 'write':
      return `${timeOf(step.at)}  write of ${step.identity} on ${step.connector}, entry ${step.part}/${step.seq}`
    case 'function': {
      const [inputs, outputs] = [step.inputs, step.outputs].map((all) => all.map(pointText))
      const made = outputs?.length ? outputs.join(', ') : 'nothing with this stamp'
      return `function "${step.name}": ${inputs?.join(', ')} gives ${made}`
    }
    case 'status': {
      const called = step.actions.map(({ name }) => `"${name}"`).join(', ')
      const change = `level ${step.previous} to ${step.level}`
      return `${timeOf(step.ts)}  rule "${step.name}": ${change}${called && `, calls ${called}`}`
    }
    case 'failed_call':
      return `${timeOf(step.failed_at)}  call ${step.id} of "${step.name}" failed: ${step.reason}`
  }
}

function pointText({ name, value, ts }: Point): string {
  return `"${name}" ${JSON.stringify(value)} (${timeOf(ts)})`
}
