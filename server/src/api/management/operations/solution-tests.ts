import { type Logger, toFault } from '../../../foundation/kernel/index.ts'
import {
  createTestSchema,
  type TestRun,
  testCountsSchema,
  testResultSchema,
} from '../../../scripts/solution-tests/index.ts'
import { largeBody, refusalSchema } from '../contract/common.ts'
import type { LogEvent, LogView } from '../log-streams.ts'
import { operations } from '../operation.ts'

/** The body of a run of tests: a folder's files, its tests and what they read, in JSON. */
const solutionTestBytesMax = 32 * 1024 * 1024

const files = [{ path: 'user_greet.lua', text: 'return "Hello " .. event.name' }]
const greets = 'function test_greets() event("user", "greet", {name = "Ada"}) end'

const on = operations('solutions', 'Setup', '/api:1/solution-tests')

export const runSolutionTests = on.post(
  '',
  'Run the tests of a folder on a temporary instance, without data of the business.',
  () => ({
    description:
      'The operator allows it by MILLRACE_SOLUTION_TESTS. Each test has a solution of its own. ' +
      'Each result is an event `result`; an event `done` follows, or an event `end` with the ' +
      'reason if not all could be run. A client that goes away ends the run.',
    body: largeBody(solutionTestBytesMax, createTestSchema()),
    answers: {
      200: {
        description: 'The results as they come.',
        events: { result: testResultSchema, done: testCountsSchema, end: refusalSchema },
      },
    },
    refuses: ['tests_refused', 'too_many_requests'],
    example: {
      request: { files, tests: [{ path: 'greet_test.lua', text: greets }] },
    },
  }),
  async ({ solutionTests, logStreams, logger }, call) => {
    const run = await solutionTests.start(call.businessId, call.body)
    try {
      return logStreams.open(call, makeView(run, logger))
    } catch (error) {
      run.stop()
      throw error
    }
  },
)

function makeView(run: TestRun, logger: Logger): LogView {
  const stop = () => run.stop()
  return {
    name: 'result',
    follow(send, { done, fail }) {
      sendResults(run, send).then(done, (error) => {
        const fault = toFault(error)
        if (fault.code === 'internal') logger.error({ err: error }, 'tests of a solution failed')
        fail(fault)
      })
      return stop
    },
    abandon: stop,
  }
}

async function sendResults(run: TestRun, send: (lines: readonly LogEvent[]) => void) {
  const counts = { passed: 0, failed: 0 }
  for await (const result of run.results()) {
    if (result.outcome === 'passed') counts.passed += 1
    else counts.failed += 1
    send([{ body: result }])
  }
  return counts
}
