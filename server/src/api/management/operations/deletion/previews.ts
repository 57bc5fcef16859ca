import { previews } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const operator = operations('accounts', 'operator', '/api:1/businesses')
const people = operations('accounts', 'User Management', '/api:1/users')
const changes = operations('accounts', 'Group Management', '/api:1/groups')
const ofConnectors = operations('connectors', 'Setup', '/api:1/connectors')
const ofSolutions = operations('solutions', 'Setup', '/api:1/solution')
const ofModules = operations('modules', 'Setup', '/api:1')

export const getBusinessDependants = operator.get(
  '/:business/dependants',
  'Show what goes with a business that is deleted.',
  previews,
  ({ deletion }, { params }) => deletion.business(params.business),
)

export const getUserDependants = people.get(
  '/:user/dependants',
  'Show what goes with a user who is deleted.',
  () => ({
    description: 'The API tokens and invitations that the user has made, and its sessions.',
    ...previews(),
  }),
  ({ accounts }, { principal, params }) => accounts.userDependants(principal, params.user),
)

export const getGroupDependants = changes.get(
  '/:group/dependants',
  'Show what lies in a group, and who has it.',
  previews,
  ({ groups }, { view, params }) => groups.dependants(view, params.group),
)

export const getConnectorDependants = ofConnectors.get(
  '/:connector/dependants',
  'Show what depends on a connector.',
  () => ({ ...previews(), refuses: ['not_found'] }),
  ({ deletion }, { businessId, params }) => deletion.connector(businessId, params.connector),
)

export const getSolutionDependants = ofSolutions.get(
  '/:solution/dependants',
  'Show what depends on a solution, and what it keeps.',
  () => ({
    description: 'Solutions of other businesses that use it are counted, and not named.',
    ...previews(),
  }),
  ({ deletion }, { businessId, params }) => deletion.solution(businessId, params.solution),
)

export const getModuleDependants = ofModules.get(
  '/modules/:module/dependants',
  'Show the links that use an insight module.',
  previews,
  ({ deletion }, { businessId, params }) => deletion.module(businessId, params.module),
)

export const getListingDependants = ofModules.get(
  '/listings/:listing/dependants',
  'Show the modules that use a listing of the business.',
  () => ({
    description: 'Those of other businesses are counted, and not named.',
    ...previews(),
  }),
  ({ deletion }, { businessId, params }) => deletion.listing(businessId, params.listing),
)
