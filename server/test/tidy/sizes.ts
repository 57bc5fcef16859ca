import { findNodes, linesBetween } from './tree/syntax.ts'
import { type Check, lineAt, matching, splitLines } from './tree/tree.ts'

export const sizes = {
  functionLinesMax: 70,
  describeLinesMax: 120,
  testLinesMax: 40,
  fileLinesMax: 400,
  lineColumnsMax: 100,
  moduleReadmeLinesMax: 15,
  wingReadmeLinesMax: 30,
  architectureLinesMax: 200,
  decisionLinesMax: 60,
} as const

const ours = '(server|console|insight-sdk|examples|bench|dev)'
const source = new RegExp(`^${ours}/.*\\.(tsx?|mjs|js|sql|graphql|css)$`)
const script = /\.(tsx?|mjs|js)$/
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** A file that fits in a head. */
export const filesAreSmall: Check = (files) =>
  matching(files, source).flatMap(([file, text]) => {
    const lines = splitLines(text).length
    if (lines <= sizes.fileLinesMax) return []
    const message = `the file has ${lines} lines, ${sizes.fileLinesMax} at most`
    return [{ file, line: sizes.fileLinesMax + 1, message }]
  })

/** The formatter does not break an import of one name, however long its path is. */
const importOfOne = /^import (type )?\{ [\w ]+ \} from '[^']+'$/

/** A line that fits beside another file. */
export const linesAreShort: Check = (files) =>
  matching(files, source).flatMap(([file, text]) =>
    splitLines(text).flatMap((content, index) => {
      const columns = [...content].length
      if (columns <= sizes.lineColumnsMax || importOfOne.test(content)) return []
      const message = `the line has ${columns} columns, ${sizes.lineColumnsMax} at most`
      return [{ file, line: index + 1, message }]
    }),
  )

/** A function that fits on a screen. Functions given to `test` and `describe` are not counted. */
export const functionsAreSmall: Check = (files) =>
  matching(files, source)
    .filter(([file]) => script.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap(([file, text]) =>
      findNodes(file, text, ...functions).flatMap((node) => {
        const lines = linesBetween(text, node)
        if (lines <= sizes.functionLinesMax) return []
        const message = `the function has ${lines} lines, ${sizes.functionLinesMax} at most`
        return [{ file, line: lineAt(text, node.start), message }]
      }),
    )
