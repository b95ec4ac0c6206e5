const answer = http.get(`${MAYFLY_URL}/api/inbox/${INBOX}/stream?hasOtp=true`);
const [, email] = /^data: (\{.*\})$/m.exec(answer.body) || [];
if (!email) throw new Error(`No email with a code arrived at ${INBOX}: ${answer.body}`);
output.code = json(email).otp;
