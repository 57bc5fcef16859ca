import {
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInterfaceType,
  GraphQLSchema,
  getDirectiveValues,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { type Permission, permissions, requirePermission } from '../../people/accounts/index.ts'
import type { Context } from './context.ts'
import { askedAlone } from './limits/estimate.ts'
import { rowCounter } from './limits/rows.ts'

type Field = GraphQLField<unknown, Context>
type Resolve = GraphQLFieldResolver<unknown, Context>

const directiveName = 'permission'

/**
 * Guards each field by the permission of its `@permission`. Whatever runs a field calls its
 * resolver, which asks first, so no form of a document leads around it.
 * @returns the schema as callers see it: the directive is not a part of it, and the description of
 * each field names the permission.
 * @throws Error for a field of the root types without a permission, and for an unknown one.
 */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  const { directives, ...config } = schema.toConfig()
  const directive = directives.find(({ name }) => name === directiveName)
  if (directive === undefined) throw new Error(`the schema has no directive @${directiveName}`)
  const asking = [schema.getQueryType(), schema.getMutationType()]
  const roots = [...asking, schema.getSubscriptionType()]
  const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInterfaceType(type)) refuseGuards(type, directive)
    if (!isObjectType(type) || type.name.startsWith('__')) return []
    return Object.values(type.getFields()).map((field) => {
      const path = `${type.name}.${field.name}`
      const permission = readPermission(path, field, directive)
      if (permission !== undefined) field.resolve ??= makePropertyResolver(field.name)
      else if (roots.includes(type)) throw new Error(`${path} has no @${directiveName}`)
      const isAlone = asking.includes(type) || askedAlone.has(path)
      return { field, permission, isAlone, isMutation: type === asking[1] }
    })
  })
  for (const { field, permission, ...how } of fields) {
    field.resolve = countedField(field, how)
    if (permission !== undefined) guardField(field, permission, how.isMutation)
  }
  return new GraphQLSchema({ ...config, directives: directives.filter((one) => one !== directive) })
}

/** The fields of an interface have no resolver; those of the types behind it have. */
function refuseGuards(type: GraphQLInterfaceType, directive: GraphQLDirective): void {
  for (const field of Object.values(type.getFields())) {
    const path = `${type.name}.${field.name}`
    if (readPermission(path, field, directive) === undefined) continue
    throw new Error(`${path} is of an interface: @${directiveName} belongs to its types`)
  }
}

function readPermission(
  path: string,
  { astNode }: Field,
  directive: GraphQLDirective,
): Permission | undefined {
  if (!astNode) return undefined
  const values = getDirectiveValues(directive, astNode)
  if (values === undefined) return undefined
  const permission = permissions.find((name) => name === values.requires)
  if (permission !== undefined) return permission
  throw new Error(`${path} requires "${values.requires}", which is not a permission`)
}

function guardField(field: Field, permission: Permission, isMutation: boolean): void {
  const own = field.resolve ?? makePropertyResolver(field.name)
  const resolve = isMutation ? repeatedField(field.name, own) : own
  const guarded: Resolve = (source, args, context, info) => {
    requirePermission(context.principal, permission)
    return resolve(source, args, context, info)
  }
  field.resolve = isMutation ? auditedField(field.name, guarded) : guarded
  const { subscribe } = field
  if (subscribe !== undefined) {
    field.subscribe = (source, args, context, info) => {
      requirePermission(context.principal, permission)
      return subscribe(source, args, context, info)
    }
  }
  field.description = `${field.description ?? ''} Needs the permission ${permission}.`.trim()
}

type Counted = { readonly isAlone: boolean; readonly isMutation: boolean }

/**
 * Counts a look-up before a field that asks by itself, and the rows of its lists behind it; after a
 * change the loaders read anew. A field without a resolver is a property of its row.
 */
function countedField(field: Field, { isAlone, isMutation }: Counted): Resolve | undefined {
  const { resolve } = field
  const counter = rowCounter(field.type)
  if (resolve === undefined || (!isAlone && counter === undefined)) return resolve
  return (source, args, context, info) => {
    if (isAlone) context.work.countLookups(countInputs(args.inputs))
    const count = <Found>(found: Found): Found => {
      if (isMutation) context.forget()
      counter?.(found, context.work)
      return found
    }
    const found = resolve(source, args, context, info)
    return found instanceof Promise ? found.then(count) : count(found)
  }
}

/** A list of things to make is asked for one after the other. */
function countInputs(inputs: unknown): number {
  return Array.isArray(inputs) ? inputs.length : 1
}

/** Notes who ran a field of Mutation, and what came of it. */
function auditedField(action: string, resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const { accounts, principal: by } = context
    const noted = { by, source: 'graphql', action, target: findTarget(args) } as const
    return accounts.audited(noted, async () => resolve(source, args, context, info))
  }
}

/** Answers as before if the same mutation was sent before, by the name that its sender gave it. */
function repeatedField(field: string, resolve: Resolve): Resolve {
  return (source, { clientMutationId, ...args }, context, info) => {
    if (typeof clientMutationId !== 'string') return resolve(source, args, context, info)
    const { principal, businessId, repeats } = context
    const { subject } = principal
    const mutation = { businessId, subject, clientMutationId, field, args }
    return repeats.once(mutation, async () => resolve(source, args, context, info))
  }
}

/** The first argument that names something. */
function findTarget(args: Readonly<Record<string, unknown>>): string {
  const { id, assetId, name, input, device } = args as Readonly<Record<string, unknown>>
  if (typeof device === 'object' && device !== null && 'identity' in device) {
    return String(device.identity)
  }
  if (typeof input === 'object' && input !== null && id === undefined && assetId === undefined) {
    return findTarget(input as Readonly<Record<string, unknown>>)
  }
  const named = id ?? assetId ?? args.email ?? name
  return typeof named === 'string' ? named : ''
}

const makePropertyResolver =
  (name: string): Resolve =>
  (source) =>
    (source as Readonly<Record<string, unknown>>)[name]
