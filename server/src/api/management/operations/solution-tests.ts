import {
  component,
  faultOf,
  type Logger,
  limits,
  Nullable,
  type Static,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { logLevels } from '../../../log/activity/index.ts'
import { createFilesSchema, sourceSchema } from '../../../scripts/scripting/index.ts'
import type { TestInput, TestResult, TestRun } from '../../../scripts/solution-tests/index.ts'
import { largeBody, refusalSchema } from '../contract/common.ts'
import type { LogEvent, LogView } from '../log-streams.ts'
import { operations } from '../operation.ts'

const testResult = component(
  'SolutionTestResult',
  {
    file: Nullable(Type.String(), {
      description: 'The path of the file of tests; null if the folder cannot be pushed.',
    }),
    name: Nullable(Type.String(), {
      description: 'The name of the test; null if the whole file, or the folder, failed.',
    }),
    outcome: Type.Enum(['passed', 'failed', 'stopped'], {
      description: '`stopped`: by a limit of scripts.',
    }),
    usage: StrictObject({
      cpu_ms: Type.Number(),
      service_calls: Type.Integer(),
      wall_ms: Type.Number(),
    }),
    error: Type.Optional(
      StrictObject(
        {
          text: Type.String({
            description: 'Begins with `file.lua:line: ` if its place is known.',
          }),
          trace: Type.Array(Type.String(), {
            description: 'Its place in the scripts, the innermost first.',
          }),
        },
        { description: 'Of a test that has not passed.' },
      ),
    ),
    printed: Type.Array(StrictObject({ level: Type.Enum([...logLevels]), text: Type.String() }), {
      description: 'What its scripts printed and logged, oldest first.',
    }),
  },
  { description: 'The result of a test.' },
)

const countsSchema = StrictObject({
  passed: Type.Integer(),
  failed: Type.Integer({ description: 'Also those that were stopped.' }),
})

export type TestResultBody = Static<typeof testResult>
export type TestInputBody = Static<ReturnType<typeof createTestSchema>>

function pathOf(pattern: RegExp, rule: string) {
  const shown = `must be ${rule} of at most ${limits.scriptNameCharsMax} characters`
  return Type.Refine(
    Type.String({ description: 'With `/` between its parts.', missing: 'must be a string' }),
    (path) => path.length <= limits.scriptNameCharsMax && pattern.test(path) && isPlain(path),
    () => shown,
  )
}

const isPlain = (path: string) => path.isWellFormed() && !path.includes('\0')

function createTestSchema() {
  const maxItems = limits.solutionTestFilesMax
  const other = StrictObject({
    id: Type.Refine(
      Type.String({ description: 'The service by which the solution uses it.' }),
      (id) => id.length > 0 && id.length <= limits.scriptNameCharsMax && isPlain(id),
      () => `must have 1 to ${limits.scriptNameCharsMax} characters`,
    ),
    files: createFilesSchema(),
  })
  const data = StrictObject({
    path: pathOf(/./s, 'the path of a file'),
    bytes: Type.Integer({ description: 'Its size.', minimum: 0 }),
    text: Type.Optional(
      Type.Refine(
        Type.String({ description: 'Left out if it is too large for a value of scripts.' }),
        (text) => text.isWellFormed(),
        () => 'must be well-formed Unicode',
      ),
    ),
  })
  return StrictObject({
    files: createFilesSchema(),
    others: Type.Optional(
      Type.Array(other, {
        description: 'Other solutions, pushed beside it.',
        maxItems: limits.configurationsMax,
      }),
    ),
    tests: Type.Array(
      StrictObject({
        path: pathOf(/_test\.lua$/, 'a path that ends in _test.lua'),
        text: sourceSchema,
      }),
      { description: 'The files of tests.', maxItems },
    ),
    data: Type.Optional(
      Type.Array(data, {
        description: 'The files of JSON that tests read by their paths.',
        maxItems,
      }),
    ),
    filter: Type.Optional(
      Type.String({ description: 'Only tests whose name, or whose file, contains this text.' }),
    ),
    allow_outbound: Type.Optional(
      Type.Boolean({
        description: 'Scripts may call servers outside, as far as the instance may.',
      }),
    ),
  })
}

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
    body: largeBody(limits.solutionTestBytesMax, createTestSchema()),
    answers: {
      200: {
        description: 'The results as they come.',
        events: { result: testResult, done: countsSchema, end: refusalSchema },
      },
    },
    refuses: ['tests_refused', 'too_many_requests'],
    example: {
      request: { files, tests: [{ path: 'greet_test.lua', text: greets }] },
    },
  }),
  async ({ solutionTests, logStreams, logger }, call) => {
    const run = await solutionTests.start(call.businessId, parseTestInput(call.body))
    try {
      return logStreams.open(call, viewOf(run, logger))
    } catch (error) {
      run.stop()
      throw error
    }
  },
)

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

export function parseTestInput({
  others = [],
  data = [],
  filter = '',
  ...body
}: TestInputBody): TestInput {
  const { files, tests, allow_outbound: allowOutbound = false } = body
  return { files, tests, others, data, filter, allowOutbound }
}

export function testResultBody({ file, name, usage, ...result }: TestResult): TestResultBody {
  const { cpuMs, serviceCalls, wallMs } = usage
  const { outcome, error, printed } = result
  return {
    file: file ?? null,
    name: name ?? null,
    outcome,
    usage: { cpu_ms: cpuMs, service_calls: serviceCalls, wall_ms: wallMs },
    ...(error && { error: { text: error.text, trace: [...error.trace] } }),
    printed: printed.map(({ level, text }) => ({ level, text })),
  }
}
