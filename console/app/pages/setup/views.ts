import { type ComponentType, lazy } from 'react'
import { GroupsView } from './groups-view.tsx'
import { InvitationsView } from './invitations-view.tsx'
import { RolesView } from './roles-view.tsx'
import type { ViewName } from './texts.ts'
import { TokensView } from './tokens-view.tsx'
import { UsersView } from './users-view.tsx'

/** Loaded when it is opened. */
const AuditView = lazy(async () => ({
  default: (await import('./business/audit-view.tsx')).AuditView,
}))
const LimitsView = lazy(async () => ({
  default: (await import('./business/limits-view.tsx')).LimitsView,
}))
const HealthView = lazy(async () => ({
  default: (await import('./business/health-view.tsx')).HealthView,
}))
const SignInView = lazy(async () => ({
  default: (await import('./business/sign-in-view.tsx')).SignInView,
}))

/** A part of Setup, and the permissions that it needs. */
export type View = {
  readonly name: ViewName
  readonly needs: readonly string[]
  /** It needs a view of the whole business. */
  readonly isWhole?: boolean
  readonly Component: ComponentType
}

export const views: readonly View[] = [
  { name: 'users', needs: ['User Management'], Component: UsersView },
  { name: 'invitations', needs: ['User Management'], Component: InvitationsView },
  { name: 'roles', needs: ['User Management'], Component: RolesView },
  { name: 'groups', needs: ['Group Management', 'View Asset'], Component: GroupsView },
  { name: 'tokens', needs: ['Setup'], Component: TokensView },
  { name: 'sign-in', needs: ['User Management'], isWhole: true, Component: SignInView },
  { name: 'audit', needs: ['User Management'], isWhole: true, Component: AuditView },
  { name: 'limits', needs: [], Component: LimitsView },
  { name: 'health', needs: ['Setup'], Component: HealthView },
]
