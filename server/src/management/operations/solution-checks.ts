import { component, limits, StrictObject, Type } from '../../kernel/index.ts'
import { createFilesSchema, findingKinds } from '../../scripting/index.ts'
import { largeBody, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const findingSchema = component('SolutionFinding', {
  severity: Type.Enum(['error', 'warning'], {
    description: 'error: something of it does not work as it is.',
  }),
  kind: Type.Enum([...findingKinds], {
    description:
      'problem: a push is refused; absent: a service or an operation that the solution does not ' +
      'have; superseded: one that is no longer served; argument: one that an operation does not ' +
      'have, or lacks; handler: no service raises its event; setting: kept without an effect.',
  }),
  file: Type.String(),
  line: Type.Union([Type.Integer(), Type.Null()], { description: 'null: the whole file.' }),
  message: Type.String(),
})

const answerSchema = StrictObject({ findings: Type.Array(findingSchema) })

const files = [{ path: 'user_report.lua', text: 'Timeseries.write({query = "level value=1"})' }]

const on = operations('solutions', 'Setup', '/api:1/solution-check', { everyProcess: true })

export const checkSolution = on.post(
  '',
  'Say what of a folder of scripts does not work here, or has no effect.',
  () => ({
    description:
      'All that a push says; calls of operations that are absent, are no longer served, or have ' +
      'other arguments; handlers that no service calls. Nothing is run or changed.',
    body: largeBody(
      limits.solutionPushBytesMax,
      StrictObject({
        files: createFilesSchema(),
        solution: Type.Optional(
          Type.String({ description: 'A solution whose services count, too.' }),
        ),
      }),
    ),
    ...shows('What differs, by file and line.', answerSchema),
    refuses: ['not_found'],
    example: {
      request: { files },
      answer: {
        findings: [
          {
            severity: 'error',
            kind: 'superseded',
            file: 'user_report.lua',
            line: 1,
            message: 'Timeseries.write is no longer served; use Tsdb (Tsdb.write, Tsdb.query)',
          },
        ],
      },
    },
  }),
  async ({ scripting: { check } }, call) => {
    const { files, solution } = call.body
    return { findings: await check(call.businessId, solution, files) }
  },
)
