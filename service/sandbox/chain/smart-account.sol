// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A smart account of one owner (ERC-1271): it accepts what the owner's key has signed, and does nothing else.
contract SmartAccount {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// Whether `signature` (65 bytes r, s, v) over `hash` is the owner's: 0x1626ba7e, else 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == owner && signer != address(0) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
