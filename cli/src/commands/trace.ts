import type { components } from '@millrace/client'
import { parseMicroseconds } from '../input.ts'
import { operation } from '../operation.ts'
import { formatTime } from '../output/output.ts'

type Trace = components['schemas']['Trace']
type Step = Trace['steps'][number]
type Point = components['schemas']['TracePoint']

/** The command that follows a value. */
export const trace = operation('traceValue', {
  options: {
    signal: 'The id of a signal.',
    ts: {
      read: parseMicroseconds,
      meaning: 'The time of its value; the newest value if it is left out.',
    },
  },
  operand: 'signal',
  secondOperand: 'ts',
  lines: formatTrace,
  example: 'npx millrace trace 0123456789abcdef 2026-01-31T08:00:00.123456Z || true',
})

function formatTrace({ value, steps, notes }: Trace): string[] {
  return [pointText(value), ...steps.map(stepText), ...notes.map((note) => `note: ${note}`)]
}

function stepText(step: Step): string {
  switch (step.kind) {
    case 'write':
      return `${formatTime(step.at)}  write of ${step.identity} on ${step.connector}, entry ${step.part}/${step.seq}`
    case 'function': {
      const [inputs, outputs] = [step.inputs, step.outputs].map((all) => all.map(pointText))
      const made = outputs?.length ? outputs.join(', ') : 'nothing with this stamp'
      return `function "${step.name}"${took(step.duration_us)}: ${inputs?.join(', ')} gives ${made}`
    }
    case 'call':
      return callText(step)
    case 'notification':
      return `${formatTime(step.accepted_at)}  notification ${step.sid} of ${step.solution} by "${step.name}": ${statesText(step)}`
    case 'script_call': {
      const end = step.failed ? 'failed' : 'ended'
      return `${formatTime(step.at)}  ${step.handler} of ${step.solution}, called by the ${step.cause}, ${end}${took(step.duration_us)}, tracking id ${step.tracking_id}`
    }
    case 'status': {
      const called = step.actions.map(({ name }) => `"${name}"`).join(', ')
      const change = `level ${step.previous} to ${step.level}`
      return `${formatTime(step.ts)}  rule "${step.name}": ${change}${called && `, calls ${called}`}`
    }
    case 'failed_call':
      return `${formatTime(step.failed_at)}  call ${step.id} of "${step.name}" failed: ${step.reason}`
  }
}

type Call = Extract<Step, { readonly kind: 'call' }>
type Notification = Extract<Step, { readonly kind: 'notification' }>

function callText({ at, name, tracking_id, status, duration_us, tries, requests, reason }: Call) {
  const answer = status === null ? '' : ` answered ${status}`
  const made = `try ${tries}, requests ${requests}, tracking id ${tracking_id}`
  const failed = reason === null ? '' : `, failed: ${reason}`
  return `${formatTime(at)}  call of "${name}"${answer}${took(duration_us)}, ${made}${failed}`
}

function statesText({ states }: Notification): string {
  if (states === null) return 'not kept any more'
  const counts = Object.entries(states).filter(([, count]) => count > 0)
  return counts.map(([state, count]) => `${count} ${state}`).join(', ') || 'no delivery yet'
}

const usPerMs = 1_000

function took(us: number | null): string {
  if (us === null) return ''
  return us < usPerMs ? ` in ${us} µs` : ` in ${(us / usPerMs).toFixed(1)} ms`
}

function pointText({ name, value, ts }: Point): string {
  return `"${name}" ${JSON.stringify(value)} (${formatTime(ts)})`
}
