import { DefinitionError } from '../errors.ts'
import type {
  ConstantInfo,
  InsightInfo,
  ProcessAnswer,
  ProcessRequest,
  SignalTypeInputInfo,
  SignalTypeOutputInfo,
} from '../protocol.ts'
import { Call, type Surroundings } from './call.ts'
import { readConstantValues } from './constant-values.ts'
import type {
  ConstantDeclaration,
  Constants,
  Context,
  FunctionDefinition,
  InletDeclaration,
  Inlets,
  OutletDeclaration,
  Outlets,
} from './declarations.ts'
import { faultsOfFunction } from './validate-function.ts'

/** A function that can be served; made by `defineFunction`. */
export type InsightFunction = {
  /** As it goes over the wire. */
  readonly info: InsightInfo
  /** The groups that list it; undefined means every group. */
  readonly groups: readonly string[] | undefined
  /** True if linkages have a state. */
  readonly stateful: boolean
  /** Runs one call. Throws ModuleError for constants that break their declaration. */
  run(request: ProcessRequest, surroundings: Surroundings): Promise<ProcessAnswer>
}

/**
 * Defines a function. Constants, inlets and outlets are declared by name, and typed in `process`.
 *
 * @throws DefinitionError naming every fault of the declarations
 */
export function defineFunction<
  const C extends Constants = Record<never, never>,
  const I extends Inlets = Record<never, never>,
  const O extends Outlets = Record<never, never>,
  S = undefined,
>(definition: FunctionDefinition<C, I, O, S>): InsightFunction {
  const faults = faultsOfFunction(definition)
  if (faults.length > 0) throw new DefinitionError(`function "${definition.id}"`, faults)
  return {
    info: toInfo(definition),
    groups: definition.groups,
    stateful: definition.state !== undefined,
    async run(request, surroundings) {
      const { inlets = {}, outlets = {} } = definition
      const call = new Call(request, inlets, outlets, surroundings)
      const context = makeContext(definition, request, call, surroundings)
      call.sortByInlet()
      await definition.process(context)
      return call.answer()
    },
  }
}

function makeContext<C extends Constants, I extends Inlets, O extends Outlets, S>(
  definition: FunctionDefinition<C, I, O, S>,
  request: ProcessRequest,
  call: Call,
  { stateFor, configuration }: Surroundings,
): Context<C, I, O, S> {
  const { constants = {} as C, constants_multiple_maximum: multipleMax, state } = definition
  return {
    id: request.id,
    groupId: request.args.group_id ?? '',
    constants: readConstantValues(constants, request.args.constants, multipleMax),
    // Without `state` its type is undefined, and so is the value.
    state: state === undefined ? (undefined as S) : stateFor(request.id, state),
    history: request.history ?? {},
    configuration,
    signals: request.data,
    earlier: ((name: string) => call.earlier(name)) as Context<C, I, O, S>['earlier'],
    // `Call` checks at run time what these signatures declare.
    inlet: ((tag: string) => call.inlet(tag)) as Context<C, I, O, S>['inlet'],
    emit: (name, source, value, changes) => call.emit(name, source, value, changes),
    problem: (source, message) => call.problem(source, message),
  }
}

/** The definition without what is not on the wire, the keys in their places. */
function toInfo<C extends Constants, I extends Inlets, O extends Outlets, S>(
  definition: FunctionDefinition<C, I, O, S>,
): InsightInfo {
  const { state: _state, process: _process, groups: _groups, ...wire } = definition
  return {
    ...wire,
    type: definition.type ?? 'transform',
    constants: Object.entries<ConstantDeclaration>(definition.constants ?? {}).map(constantInfo),
    inlets: Object.entries<InletDeclaration>(definition.inlets ?? {}).map(inletInfo),
    outlets: Object.entries<OutletDeclaration>(definition.outlets ?? {}).map(outletInfo),
  }
}

function constantInfo([name, declared]: [string, ConstantDeclaration]): ConstantInfo {
  const { required: _, ...wire } = declared
  return { name, ...wire }
}

function inletInfo([tag, declared]: [string, InletDeclaration]): SignalTypeInputInfo {
  return { ...declared, tag }
}

function outletInfo([name, declared]: [string, OutletDeclaration]): SignalTypeOutputInfo {
  const { problems, ...wire } = declared
  return problems === true ? { name, primitive_type: 'STRING', ...wire } : { name, ...wire }
}
