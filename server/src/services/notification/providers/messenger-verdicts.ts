import type { Verdicts } from './outcome.ts'

/** What the codes of the Send API mean, those with a sub-code as `code_subcode`. */
export const messengerVerdicts: Verdicts = {
  '100_2018001': 'doubt',
  1: 'retry',
  2: 'retry',
  1200: 'retry',
  4: 'slow',
  17: 'slow',
  32: 'slow',
  613: 'slow',
  80006: 'slow',
  10: 'refuse',
  100: 'refuse',
  368: 'refuse',
  551: 'refuse',
  '10_2018278': 'refuse',
  '200_1545041': 'refuse',
  3: 'setup',
  102: 'setup',
  190: 'setup',
  200: 'setup',
  230: 'setup',
}
