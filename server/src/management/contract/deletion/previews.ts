import { StrictObject } from '../../../kernel/index.ts'
import { connectorParams, PathText, solutionParams } from '../common.ts'
import { contract } from '../contract.ts'
import { preview } from '../schemas/dependants.ts'

const answers = { 200: preview }
const businessParams = StrictObject({
  business: PathText('The id or the name of a business, percent-encoded.'),
})

export const getBusinessDependants = contract(
  {
    id: 'getBusinessDependants',
    method: 'GET',
    path: '/api:1/businesses/:business/dependants',
    permission: 'operator',
    tag: 'accounts',
    summary: 'Show what goes with a business that is deleted.',
  },
  () => ({ params: businessParams, answers }),
)

export const getUserDependants = contract(
  {
    id: 'getUserDependants',
    method: 'GET',
    path: '/api:1/users/:user/dependants',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Show what goes with a user who is deleted.',
    description: 'The API tokens and invitations that the user has made, and its sessions.',
  },
  () => ({ params: StrictObject({ user: PathText('The id of a user.') }), answers }),
)

export const getGroupDependants = contract(
  {
    id: 'getGroupDependants',
    method: 'GET',
    path: '/api:1/groups/:group/dependants',
    permission: 'Group Management',
    tag: 'accounts',
    summary: 'Show what lies in a group, and who has it.',
  },
  () => ({ params: StrictObject({ group: PathText('The id of a group.') }), answers }),
)

export const getConnectorDependants = contract(
  {
    id: 'getConnectorDependants',
    method: 'GET',
    path: '/api:1/connectors/:connector/dependants',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Show what depends on a connector.',
  },
  () => ({ params: connectorParams, answers, refuses: ['not_found'] }),
)

export const getSolutionDependants = contract(
  {
    id: 'getSolutionDependants',
    method: 'GET',
    path: '/api:1/solution/:solution/dependants',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show what depends on a solution, and what it keeps.',
    description: 'Solutions of other businesses that use it are counted, and not named.',
  },
  () => ({ params: solutionParams, answers }),
)

export const getModuleDependants = contract(
  {
    id: 'getModuleDependants',
    method: 'GET',
    path: '/api:1/modules/:module/dependants',
    permission: 'Setup',
    tag: 'modules',
    summary: 'Show the links that use an insight module.',
  },
  () => ({ params: StrictObject({ module: PathText('The id of a module.') }), answers }),
)

export const getListingDependants = contract(
  {
    id: 'getListingDependants',
    method: 'GET',
    path: '/api:1/listings/:listing/dependants',
    permission: 'Setup',
    tag: 'modules',
    summary: 'Show the modules that use a listing of the business.',
    description: 'Those of other businesses are counted, and not named.',
  },
  () => ({ params: StrictObject({ listing: PathText('The id of a listing.') }), answers }),
)
