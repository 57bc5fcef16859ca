import { lazy, Suspense, useState } from 'react'
import { useSignedIn } from '../ui/session.tsx'
import { AccountButton } from './account-button.tsx'

const loadList = () => import('./account-list.tsx')
const AccountList = lazy(async () => ({ default: (await loadList()).AccountList }))

/**
 * The account that is signed in; what menus need is loaded when the pointer or the focus comes
 * near.
 */
export function AccountMenu() {
  const { email } = useSignedIn()
  const [isAsked, setAsked] = useState(false)
  const button = (
    <AccountButton
      email={email}
      isOpen={false}
      onClick={() => setAsked(true)}
      onPointerEnter={loadList}
      onFocus={loadList}
    />
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <AccountList />
    </Suspense>
  )
}
