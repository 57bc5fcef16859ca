import type { ComponentType } from 'react'
import { GroupsView } from './groups-view.tsx'
import { InvitationsView } from './invitations-view.tsx'
import { RolesView } from './roles-view.tsx'
import type { ViewName } from './texts.ts'
import { TokensView } from './tokens-view.tsx'
import { UsersView } from './users-view.tsx'

/** A part of Setup, and the permissions that it needs. */
export type View = {
  readonly name: ViewName
  readonly needs: readonly string[]
  readonly Component: ComponentType
}

export const views: readonly View[] = [
  { name: 'users', needs: ['User Management'], Component: UsersView },
  { name: 'invitations', needs: ['User Management'], Component: InvitationsView },
  { name: 'roles', needs: ['User Management'], Component: RolesView },
  { name: 'groups', needs: ['Group Management', 'View Asset'], Component: GroupsView },
  { name: 'tokens', needs: ['Setup'], Component: TokensView },
]
