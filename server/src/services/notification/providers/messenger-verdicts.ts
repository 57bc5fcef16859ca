import type { Verdicts } from './outcome.ts'

/** The verdicts of the Send API's codes, those with a sub-code as `code_subcode`. */
export const messengerVerdicts: Verdicts = {
  '100_2018001': 'suspect',
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
  3: 'misconfigured',
  102: 'misconfigured',
  190: 'misconfigured',
  200: 'misconfigured',
  230: 'misconfigured',
}
