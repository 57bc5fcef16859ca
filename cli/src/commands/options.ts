import type { Option } from '../command.ts'

/** The option of every command that works on a connector. Its id is unique in the instance. */
export const connectorOption = {
  meaning: 'The id of the connector, the first label of its host.',
  required: true,
} as const satisfies Option

/** The option of every command that works on a solution. */
export const solutionOption = {
  meaning: 'The id of the solution.',
  required: true,
} as const satisfies Option
