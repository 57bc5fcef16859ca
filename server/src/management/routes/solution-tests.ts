import { faultOf, type Logger } from '../../kernel/index.ts'
import type { SolutionTests, TestRun } from '../../solution-tests/index.ts'
import { runSolutionTests } from '../contract/solution-tests.ts'
import { readJson } from '../json-body.ts'
import type { LogEvent, LogStreams, LogView } from '../log-streams.ts'
import { type Route, route } from '../route.ts'
import { parseTestInput, testResultBody } from '../wire/solution.ts'

export type SolutionTestRoutesOptions = {
  readonly solutionTests: Pick<SolutionTests, 'start'>
  readonly streams: LogStreams
  readonly logger: Logger
}

/** Tests of solutions, with their results as server-sent events. */
export function solutionTestRoutes({
  solutionTests,
  streams,
  logger,
}: SolutionTestRoutesOptions): Route[] {
  return [
    route(runSolutionTests, async (call) => {
      const body = await readJson(call, runSolutionTests.details().body)
      const run = await solutionTests.start(call.principal.businessId, parseTestInput(body))
      try {
        return streams.open(call, runSolutionTests, viewOf(run, logger))
      } catch (error) {
        run.stop()
        throw error
      }
    }),
  ]
}

function viewOf(run: TestRun, logger: Logger): LogView {
  const stop = () => run.stop()
  return {
    name: 'result',
    follow(send, { done, fail }) {
      sendResults(run, send).then(done, (error) => {
        const fault = faultOf(error)
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
    send([{ body: testResultBody(result) }])
  }
  return counts
}
