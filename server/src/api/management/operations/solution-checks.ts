import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { createFilesSchema, findingSchema } from '../../../scripts/scripting/index.ts'
import { largeBody, lists } from '../contract/common.ts'
import { managementLimits } from '../limits.ts'
import { operations } from '../operation.ts'

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
      managementLimits.solutionPushBytesMax,
      StrictObject({
        files: createFilesSchema(),
        solution: Type.Optional(
          Type.String({ description: 'A solution whose services count, too.' }),
        ),
      }),
    ),
    ...lists('findings', findingSchema, 'What differs, by file and line.'),
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
  ({ scripting: { check } }, { businessId, body: { files, solution } }) =>
    check(businessId, solution, files),
)
