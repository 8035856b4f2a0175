import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './ask/token.ts';
import { applyTheme } from './parts/theme.ts';
import { say } from './texts/index.ts';

// Before the first request: it must already be sent with the token.
takeToken();
document.documentElement.lang = say.language;
applyTheme();
// The frame that the server has sent.
document.body.replaceChildren();
render(<App />, document.body);
