import { useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { keepToken } from '../ask/token.ts';
import { complaintAbout } from '../parts/check-token.ts';
import { Icon } from '../parts/icon.tsx';
import { say } from '../texts/index.ts';

/** What a visitor without a token sees if no table is open to everybody. */
export function Locked({ onToken }: { onToken(): void }) {
  const [wrong, setWrong] = useState('');
  const [isAsking, setAsking] = useState(false);
  const signIn = async (typed: string) => {
    setAsking(true);
    const complaint = await complaintAbout(typed);
    setAsking(false);
    if (complaint !== null) return setWrong(complaint);
    keepToken(typed);
    onToken();
  };
  return (
    <main id="main" class="front locked">
      <h1>{say.front.locked}</h1>
      <p class="lead">{site.isFramed ? say.front.lockedInFrame : say.front.lockedWhy}</p>
      {!site.isFramed && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget).get('token');
            if (typeof typed === 'string' && typed.trim() !== '') void signIn(typed.trim());
          }}
        >
          <div class="find">
            <Icon name="key" />
            {/* Password managers expect a user name field. */}
            <input name="username" autocomplete="username" hidden />
            <input
              name="token"
              type="password"
              aria-label={say.token}
              placeholder={say.token}
              pattern="[!-~]+"
              autocomplete="current-password"
              aria-invalid={wrong !== ''}
              required
              onInput={() => setWrong('')}
            />
            <button type="submit" class="primary" disabled={isAsking}>
              {say.signIn}
            </button>
          </div>
          {wrong !== '' && (
            <p class="wrong" role="alert">
              {wrong}
            </p>
          )}
          <p class="note">{site.keeps === 'memory' ? say.tokenHelpMemory : say.tokenHelp}</p>
        </form>
      )}
    </main>
  );
}
