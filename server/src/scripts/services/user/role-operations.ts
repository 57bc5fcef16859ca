import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { solutionUserLimits } from './limits.ts'
import { idSchema, written } from './schemas.ts'

/**
 * Values of parameters in one role of a call of `assignUser`. The schema of an operation has it.
 */
const assignmentsPerCallMax = 500

const roleId = () =>
  Type.String({
    description: 'The name of the role.',
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
    rule: 'must be 1 to 64 letters, digits, `_`, `-` or `.`',
    missing: 'must be given',
    numberAsText: true,
  })

const parameterName = (description = 'The name of a parameter of the role.') =>
  Type.String({
    description,
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
    rule: 'must be 1 to 64 letters, digits, `_`, `-` or `.`',
    missing: 'must be given',
    numberAsText: true,
  })

const parameterValue = () =>
  Type.String({
    description: 'The value of the parameter; a number is taken as its text.',
    maxLength: 255,
    numberAsText: true,
    pattern: '^[^\\u0000]*$',
    rule: 'must be a text of at most 255 characters',
    missing: 'must be given',
  })

const names = () =>
  Type.Array(StrictObject({ name: parameterName() }), {
    description: 'The parameters of the role: `{{name}, …}`.',
    maxItems: solutionUserLimits.roleParametersMax,
    rule: `must be a list of at most ${solutionUserLimits.roleParametersMax} tables`,
  })

const pairs = () =>
  Type.Array(StrictObject({ name: parameterName(), value: parameterValue() }), {
    description: 'Values of parameters: `{{name, value}, …}`.',
    default: [],
    maxItems: assignmentsPerCallMax,
    rule: `must be a list of at most ${assignmentsPerCallMax} tables`,
  })

const roleSchema = StrictObject({
  role_id: Type.String(),
  parameter: Type.Array(StrictObject({ name: Type.String() })),
})

const roleArguments = () => StrictObject({ role_id: roleId() })
const parameterArguments = () =>
  StrictObject({
    role_id: roleId(),
    parameter_name: parameterName(),
    parameter_value: parameterValue(),
  })

/** Roles themselves. */
function roles() {
  return {
    createRole: {
      description: 'Makes a role with parameters.',
      args: StrictObject({ role_id: roleId(), parameter: Type.Optional(names()) }),
      result: written,
    },
    getRole: { description: 'Reads a role.', args: roleArguments(), result: roleSchema },
    listRoles: {
      description: 'Lists the roles of the solution.',
      reads: true as const,
      args: StrictObject({}),
      result: Type.Array(roleSchema),
    },
    deleteRole: {
      description: 'Deletes a role, and takes it from its users.',
      args: roleArguments(),
      result: written,
    },
    addRoleParam: {
      description: 'Adds parameters to a role.',
      args: StrictObject({ role_id: roleId(), body: names() }),
      result: written,
    },
    deleteRoleParam: {
      description: 'Deletes a parameter of a role, with its values of all users.',
      args: StrictObject({ role_id: roleId(), parameter_name: parameterName() }),
      result: written,
    },
    deleteRoleParamValue: {
      description: 'Takes a value of a parameter from all users of a role.',
      args: parameterArguments(),
      result: written,
    },
    listRoleUsers: {
      description: 'Lists the numbers of the users of a role.',
      reads: true as const,
      args: roleArguments(),
      result: Type.Array(Type.Integer()),
    },
    listRoleParamUsers: {
      description: 'Lists the numbers of the users of a role that have a value of a parameter.',
      reads: true as const,
      args: parameterArguments(),
      result: Type.Array(Type.Integer()),
    },
  }
}

/** The schemas of roles, and of what users have of them. */
export function roleSchemas() {
  const ofUser = { id: idSchema(), role_id: roleId() }
  const one = { ...ofUser, parameter_name: parameterName() }
  return {
    ...roles(),
    assignUser: {
      description: 'Gives a user roles, with values of their parameters.',
      args: StrictObject({
        id: idSchema(),
        roles: Type.Array(StrictObject({ role_id: roleId(), parameters: pairs() }), {
          description: 'The roles.',
          maxItems: 50,
          rule: 'must be a list of at most 50 tables',
          missing: 'must be given',
        }),
      }),
      result: written,
    },
    deassignUser: {
      description: 'Takes a role from a user.',
      args: StrictObject(ofUser),
      result: written,
    },
    deassignUserParam: {
      description: 'Takes a value of a parameter from a user.',
      args: StrictObject({ ...one, parameter_value: parameterValue() }),
      result: written,
    },
    deassignUserParamName: {
      description: 'Takes all values of a parameter from a user.',
      args: StrictObject(one),
      result: written,
    },
    hasUserRoleParam: {
      description: "Answers `'OK'` if the user has the role with the value; else a 404.",
      args: StrictObject({ ...one, parameter_value: parameterValue() }),
      result: Type.Literal('OK'),
    },
    listUserRoles: {
      description: 'Lists the roles of a user.',
      reads: true as const,
      args: StrictObject({ id: idSchema() }),
      result: Type.Array(
        StrictObject({
          role_id: Type.String(),
          parameters: Type.Array(StrictObject({ name: Type.String(), value: Type.String() })),
        }),
      ),
    },
    listUserRoleParamValues: {
      description: 'Lists the values of a parameter that a user has.',
      reads: true as const,
      args: StrictObject(one),
      result: Type.Array(Type.String()),
    },
  }
}
