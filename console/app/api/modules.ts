import type { components } from '@millrace/client'
import {
  type ConsoleFunctionsQuery,
  consoleFunctionsDocument,
  type FunctionDescriptionFragment,
} from '../generated/functions.ts'
import { act, get, patch, post, removeWith } from './endpoint.ts'
import { asking } from './graphql.ts'

type Schemas = components['schemas']

/** An insight module that the business uses. */
export type Module = Schemas['InsightModule']

/** With its parameters, its health and all complaints. */
export type ModuleDetails = Schemas['InsightModuleDetails']

export type ModuleChange = Schemas['InsightModuleChange']

export type NewModule = Schemas['NewInsightModule']

export type ModuleCheck = Schemas['InsightModuleCheck']

/** A parameter as a definition declares it. */
export type Declaration = Schemas['ModuleParameterDeclaration']

/** The dependants of something that is to be removed. */
export type Preview = Schemas['DeletionPreview']

export type InsightFunction = FunctionDescriptionFragment

export type FunctionList = ConsoleFunctionsQuery['functionList']

const path = '/api:1/modules/{module}'

/** The built-in one first. Needs `Setup`. */
export const listModules = get('/api:1/modules', 'modules')

export const readModule = get(path)

/** @throws ApiError `invalid_argument` with a problem for each parameter, `module_failed` */
export const addModule = post('/api:1/modules')

/** @throws ApiError as `addModule`; `forbidden` if it is moved by another than its owner */
export const changeModule = patch(path)

/** Calls it, and names all that is wrong with it. */
export const checkModule = act(`${path}/check`)

/** Reads its definition and its functions again. */
export const refreshModule = act(`${path}/refresh`)

/** The links that use it. */
export const readModuleDependants = get(`${path}/dependants`)

/**
 * Its links are removed, too, if its name confirms that.
 * @throws ApiError `in_use` if links use it and the name is not given
 */
export const removeModule = removeWith(path)

/** Needs `Asset Management`. A module that is down leaves those that it listed last. */
export const listFunctions = asking(consoleFunctionsDocument, 'functionList')
