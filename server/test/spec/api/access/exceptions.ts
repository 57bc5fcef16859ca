/** Operations that answer without a credential. */
export const forAnyone: readonly string[] = [
  'acceptInvitation',
  'beginDemandedTotp',
  'createFirstAccount',
  'findOidc',
  'getHealth',
  'getOpenApi',
  'getSession',
  'leaveForOidc',
  'readReportUrl',
  'requestPasswordReset',
  'resetPassword',
  'returnFromOidc',
  'signIn',
  'takeOidcSession',
]

const own = 'of what lies in the groups of the caller'
const ofAll = 'everyone of the business may see it'
const itself = 'of the credential itself'

/** Operations that a caller of one group may call, and why: every other one is refused. */
export const forOneGroup: Readonly<Record<string, string>> = {
  changeIdentities: own,
  createApiToken: own,
  createDashboard: own,
  createGroup: own,
  createInvitation: own,
  createUser: own,
  exportAssets: own,
  exportIdentities: own,
  followChanges: own,
  getBusiness: ofAll,
  getCaller: itself,
  getRetention: ofAll,
  getTemplate: ofAll,
  getTemplateVersion: ofAll,
  getUsage: ofAll,
  importAssets: own,
  listApiTokens: own,
  listDashboards: own,
  listGroups: own,
  listIdentities: own,
  listInvitations: own,
  listPipelines: own,
  listReports: own,
  listRoles: ofAll,
  listTemplateVersions: ofAll,
  listTemplates: ofAll,
  listUsers: own,
}

/** Operations that show a caller of one group what lies in no group. */
export const shownToAll = Object.keys(forOneGroup).filter((id) => forOneGroup[id] === ofAll)

/** Refusals that are neither 403 nor 404 of what a caller does not see. */
export const otherRefusals: Readonly<Record<string, string>> = {
  putIdentity: '409 already_exists',
  signOut: '400 invalid_argument',
}

const ofService = 'the service has its fields: spec/scripts/solutions/services.test.ts'

/** Operations whose bodies have fields of any name, and why. */
export const freeBodies: Readonly<Record<string, string>> = {
  addConfiguration: ofService,
  callOperation: 'the solution that exposes the operation has its schema',
  checkDefinition: 'the answer lists what is wrong with a definition',
  replaceConfiguration: ofService,
  setState: 'the connector has the names: the refusal is not_settable',
  updateConfiguration: ofService,
}

const byOpenssl = 'a list is signed by openssl: spec/api/management/crl.test.ts'
const byCode = 'a code is of an app: spec/people/accounts/totp.test.ts'

/** Operations that are refused to who may call them, and why. */
export const refusedToOwner: Readonly<Record<string, readonly [refusal: string, reason: string]>> =
  {
    confirmTotp: ['401 unknown_credential', byCode],
    deleteRevocationList: ['404 not_found', byOpenssl],
    getRevocationList: ['404 not_found', byOpenssl],
    putRevocationList: ['400 invalid_argument', byOpenssl],
    removeTotp: ['404 not_found', byCode],
    removeUserTotp: ['404 not_found', byCode],
    renewRecoveryCodes: ['404 not_found', byCode],
    runSolutionTests: ['403 tests_refused', 'a setting allows them: spec/scripts/solutions/tests'],
  }

/**
 * Operations to which one permission is not enough, since nobody gives, or manages, more than they
 * have: spec/people/accounts/rights.test.ts.
 */
export const needsMore =
  /^create(Api)?Token$|^changeBusiness$|^setOidc$|User|Session|Invitation|Role/

const lacks = 'it has none'
const template = 'all of the business have a template'
const connector = 'a connector lies in no group'
const role = 'all of the business have a role'

/** Fields that a caller of one group is refused, with ids of its own where it has some. */
export const fieldsOfAllGroups: Readonly<Record<string, readonly [code: string, reason: string]>> =
  {
    auditLog: ['forbidden', 'it shows what all did'],
    connectors: ['forbidden', connector],
    createRole: ['forbidden', role],
    createTemplate: ['forbidden', template],
    deleteGroup: ['invalid_argument', 'its own group is not its own to delete'],
    deleteReport: ['not_found', lacks],
    deleteRole: ['forbidden', role],
    deleteTemplate: ['forbidden', template],
    products: ['forbidden', connector],
    report: ['not_found', lacks],
    resendInvitation: ['not_found', lacks],
    restoreTemplate: ['forbidden', template],
    revokeInvitation: ['not_found', lacks],
    setConnectorRetention: ['forbidden', connector],
    setRoleRateLimits: ['forbidden', role],
    updateRole: ['forbidden', role],
    updateTemplate: ['forbidden', template],
  }

/** Fields whose documents may name what is not there: it counts when they are used. */
export const storesAnyId: readonly string[] = ['createTemplate']
