import {
  component,
  limits,
  Nullable,
  type Static,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import { logLevels } from '../../log/activity/index.ts'
import { createFilesSchema, sourceSchema } from '../scripting/index.ts'

/** The files of tests of one run, and the files that these may read. */
const solutionTestFilesMax = 1_000

export const testResultSchema = component(
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
      cpuMs: Type.Number(),
      serviceCalls: Type.Integer(),
      wallMs: Type.Number(),
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

export const testCountsSchema = StrictObject({
  passed: Type.Integer(),
  failed: Type.Integer({ description: 'Also those that were stopped.' }),
})

function pathSchema(pattern: RegExp, rule: string) {
  const shown = `must be ${rule} of at most ${limits.scriptNameCharsMax} characters`
  return Type.Refine(
    Type.String({ description: 'With `/` between its parts.', missing: 'must be a string' }),
    (path) => path.length <= limits.scriptNameCharsMax && pattern.test(path) && isPlain(path),
    () => shown,
  )
}

const isPlain = (path: string) => path.isWellFormed() && !path.includes('\0')

export function createTestSchema() {
  const maxItems = solutionTestFilesMax
  const other = StrictObject({
    id: Type.Refine(
      Type.String({ description: 'The service by which the solution uses it.' }),
      (id) => id.length > 0 && id.length <= limits.scriptNameCharsMax && isPlain(id),
      () => `must have 1 to ${limits.scriptNameCharsMax} characters`,
    ),
    files: createFilesSchema(),
  })
  const data = StrictObject({
    path: pathSchema(/./s, 'the path of a file'),
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
        path: pathSchema(/_test\.lua$/, 'a path that ends in _test.lua'),
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
    allowOutbound: Type.Optional(
      Type.Boolean({
        description: 'Scripts may call servers outside, as far as the instance may.',
      }),
    ),
  })
}

/** The folder of a solution with its tests, and which of them are to run. */
export type TestInput = Static<ReturnType<typeof createTestSchema>>

/** Another solution that scripts use by its id. */
export type OtherSolution = NonNullable<TestInput['others']>[number]

/** A file of JSON of the folder. */
export type DataFile = NonNullable<TestInput['data']>[number]

/** The result of a test, or the reason why a file of tests, or the folder, could not be run. */
export type TestResult = Static<typeof testResultSchema>
