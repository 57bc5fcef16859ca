import type { ApiOperation, UnnamedOperation } from '../operation.ts'
import * as dashboards from './assets/dashboards.ts'
import * as assets from './assets/files.ts'
import * as reports from './assets/reports.ts'
import * as templates from './assets/templates.ts'
import * as workInstructions from './assets/work-instructions.ts'
import * as campaigns from './campaigns.ts'
import * as certificates from './certificates.ts'
import * as configurations from './configurations.ts'
import * as connectors from './connectors.ts'
import * as contents from './contents.ts'
import * as definition from './definition.ts'
import * as deletedBusinesses from './deletion/businesses.ts'
import * as previews from './deletion/previews.ts'
import * as environment from './environment.ts'
import * as failures from './failures/solution.ts'
import * as stageFailures from './failures/stages.ts'
import * as identities from './identities.ts'
import * as bulk from './identities-bulk.ts'
import * as failedCalls from './insight/failed-calls.ts'
import * as listings from './insight/listings.ts'
import * as insight from './insight/modules.ts'
import * as pipelines from './insight/pipelines.ts'
import * as instance from './instance.ts'
import * as operations from './interface.ts'
import * as lifecycle from './lifecycle.ts'
import * as logs from './logs.ts'
import * as notifications from './notifications.ts'
import * as changes from './operation/changes.ts'
import * as health from './operation/health.ts'
import * as quotas from './operation/quotas.ts'
import * as retention from './operation/retention.ts'
import * as operator from './operator.ts'
import * as accounts from './people/accounts.ts'
import * as groups from './people/groups.ts'
import * as invitations from './people/invitations.ts'
import * as mails from './people/mails.ts'
import * as oidc from './people/oidc.ts'
import * as passwords from './people/passwords.ts'
import * as preferences from './people/preferences.ts'
import * as roles from './people/roles.ts'
import * as secondStep from './people/second-step.ts'
import * as token from './people/sessions.ts'
import * as runs from './runs.ts'
import * as scripts from './scripts.ts'
import * as solutionChecks from './solution-checks.ts'
import * as solutionTests from './solution-tests.ts'
import * as solutions from './solutions.ts'
import * as staticFiles from './static-files.ts'

const modules: readonly Readonly<Record<string, object>>[] = [
  ...[instance, health, token, secondStep, oidc, accounts, roles, groups, invitations, passwords],
  ...[preferences, changes, previews, deletedBusinesses],
  ...[connectors, contents, campaigns, certificates, logs, identities, bulk],
  ...[assets, templates, reports, dashboards, workInstructions, lifecycle],
  ...[solutions, solutionChecks, solutionTests, scripts, environment, staticFiles, configurations],
  ...[failures, failedCalls, stageFailures, runs, operations, definition, notifications],
  ...[insight, listings, pipelines, mails, operator, retention, quotas],
]

/** All operations, by noun. The name of one is that of its export. */
export const contracts: readonly ApiOperation[] = modules
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, UnnamedOperation] => 'details' in entry[1])
  .map(([id, operation]) => ({ id, ...operation }))
