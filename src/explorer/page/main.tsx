import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './ask/token.ts';
import { applyTheme } from './parts/theme.ts';
import { say } from './texts/index.ts';

// Take the token before the first request, which must already send it.
takeToken();
document.documentElement.lang = say.language;
applyTheme();
// Remove the frame that the server has sent.
document.body.replaceChildren();
render(<App />, document.body);
