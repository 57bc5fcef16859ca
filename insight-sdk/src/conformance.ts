/**
 * The conformance suite of the insight protocol: the checks of a module, and cases that break each
 * of them, for whoever writes a client or a module of another kind.
 */
export { type ConformanceCase, conformanceCases } from './conformance/cases/cases.ts'
export {
  answerReference,
  type Change,
  type ReferenceAnswer,
  type ReferenceRequest,
} from './conformance/cases/reference-module.ts'
export {
  type Check,
  type CheckOptions,
  type Conformance,
  checkModule,
  conformanceRules,
} from './conformance/check-module.ts'
